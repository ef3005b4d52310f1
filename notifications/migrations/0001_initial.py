import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=120)),
                ('mark', models.CharField(blank=True, default='', max_length=40)),
                ('data', models.JSONField(default=dict)),
                ('url', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('shown', models.BooleanField(default=True)),
                ('mail_due_at', models.DateTimeField(blank=True, null=True)),
                ('mailed_at', models.DateTimeField(blank=True, null=True)),
                ('mail_tries', models.PositiveSmallIntegerField(default=0)),
                ('push_due_at', models.DateTimeField(blank=True, null=True)),
                ('pushed_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['user', '-at', '-id'], name='notice_list'), models.Index(condition=models.Q(('read_at__isnull', True)), fields=['user', 'url'], name='notice_unread'), models.Index(condition=models.Q(('read_at__isnull', True)), fields=['kind', 'key'], name='notice_about'), models.Index(condition=models.Q(('mail_due_at__isnull', False)), fields=['mail_due_at'], name='notice_mail_due'), models.Index(condition=models.Q(('push_due_at__isnull', False)), fields=['push_due_at'], name='notice_push_due')],
                'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'key'), name='notice_once'), models.CheckConstraint(condition=models.Q(('url__startswith', '/'), models.Q(('url__startswith', '//'), _negated=True)), name='notice_url_is_a_path')],
            },
        ),
        migrations.CreateModel(
            name='PushDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.TextField(max_length=2000)),
                ('mark', models.CharField(max_length=64, unique=True)),
                ('receiver', models.CharField(max_length=90)),
                ('auth', models.CharField(max_length=30)),
                ('club_key', models.CharField(max_length=90)),
                ('name', models.CharField(blank=True, default='', max_length=40)),
                ('language', models.CharField(blank=True, default='', max_length=5)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('heard_at', models.DateTimeField(blank=True, null=True)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('rests_until', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='NotificationPreferences',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channels', models.JSONField(blank=True, default=dict)),
                ('digest', models.CharField(choices=[('once', 'Immediately'), ('hourly', 'Every hour'), ('daily', 'Once a day'), ('never', 'Never')], default='hourly', max_length=6)),
                ('hour', models.PositiveSmallIntegerField(default=9)),
                ('quiet_from', models.TimeField(blank=True, null=True)),
                ('quiet_to', models.TimeField(blank=True, null=True)),
                ('timezone', models.CharField(blank=True, default='', max_length=64)),
                ('door', models.CharField(blank=True, editable=False, max_length=32, null=True, unique=True)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='notification_preferences', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'notification preferences',
                'constraints': [models.CheckConstraint(condition=models.Q(('hour__lte', 23)), name='notification_preferences_hour'), models.CheckConstraint(condition=models.Q(models.Q(('quiet_from', None), ('quiet_to', None)), models.Q(('quiet_from__isnull', False), ('quiet_to__isnull', False)), _connector='OR'), name='notification_preferences_quiet')],
            },
        ),
        migrations.CreateModel(
            name='PushMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('said_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('taken', models.BooleanField(default=False)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='notifications.pushdevice')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='notifications.notification')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('device', 'notice'), name='push_once'), models.CheckConstraint(condition=models.Q(('taken', False), ('due_at', None), _connector='OR'), name='push_taken_is_over')],
            },
        ),
    ]

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notices', '0001_notices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Device',
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
            name='Push',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('said_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('taken', models.BooleanField(default=False)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='notices.device')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='notices.notice')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('device', 'notice'), name='push_once'), models.CheckConstraint(condition=models.Q(('taken', False), ('due_at', None), _connector='OR'), name='push_taken_is_over')],
            },
        ),
    ]

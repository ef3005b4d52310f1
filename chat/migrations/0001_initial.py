import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('outcome', models.CharField(blank=True, choices=[('dismissed', 'no action taken'), ('acted', 'action taken')], default='', max_length=10)),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases_about', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases', to='games.match')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['opened_at'], name='case_queue'), models.Index(condition=models.Q(('closed_at__isnull', False)), fields=['-closed_at'], name='case_closed')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('about__isnull', False), ('closed_at', None), ('match__isnull', False)), fields=('about', 'match'), name='case_open_person_match'), models.UniqueConstraint(condition=models.Q(('about__isnull', False), ('closed_at', None), ('match', None)), fields=('about',), name='case_open_person'), models.UniqueConstraint(condition=models.Q(('about', None), ('closed_at', None), ('match__isnull', False)), fields=('match',), name='case_open_match')],
            },
        ),
        migrations.CreateModel(
            name='ChatPreferences',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(choices=[('all', 'Full chat'), ('phrases', 'Quick phrases only'), ('nobody', 'No chat')], default='all', max_length=8, verbose_name='chat')),
                ('hide_watchers', models.BooleanField(default=False, verbose_name='hide the spectator chat of my matches')),
                ('announce', models.BooleanField(default=True, verbose_name='read new messages aloud (screen reader)')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='talk_wishes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('room', models.CharField(choices=[('players', 'players'), ('watchers', 'watchers')], max_length=8)),
                ('client_id', models.CharField(max_length=40)),
                ('text', models.CharField(blank=True, default='', max_length=300)),
                ('phrase', models.CharField(blank=True, default='', max_length=16)),
                ('at', models.DateTimeField()),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='messages', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='games.match')),
            ],
            options={
                'indexes': [models.Index(fields=['match', 'room', 'id'], name='message_room'), models.Index(condition=models.Q(('removed_at__isnull', False)), fields=['match', 'id'], name='message_removed')],
                'constraints': [models.UniqueConstraint(fields=('match', 'by', 'client_id'), name='message_once')],
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('silence', 'mute'), ('closed', 'account closed')], max_length=8)),
                ('words', models.TextField(blank=True, default='', max_length=1000)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'kind'], name='sanction_user')],
            },
        ),
        migrations.CreateModel(
            name='CaseEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.CharField(choices=[('dismiss', 'dismissed the case'), ('remove', 'removed a message'), ('warn', 'sent a warning'), ('silence', 'muted the person'), ('lift', 'unmuted the person'), ('close', 'closed the account'), ('reopen', 'reopened the account')], max_length=8)),
                ('why', models.TextField(max_length=1000)),
                ('at', models.DateTimeField()),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='chat.case')),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='chat.message')),
                ('sanction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='chat.sanction')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('rude', 'Rude or insulting'), ('threat', 'Threats or harassment'), ('advice', 'Help from a program or another person'), ('cheating', 'Cheating or losing on purpose'), ('spam', 'Advertising or spam'), ('name', 'Inappropriate username'), ('other', 'Something else')], max_length=10)),
                ('words', models.TextField(blank=True, default='', max_length=1000)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports_made', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='chat.case')),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='chat.message')),
            ],
            options={
                'indexes': [models.Index(fields=['by', '-at'], name='report_by')],
            },
        ),
    ]

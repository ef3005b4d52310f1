import django.db.models.deletion
import games.models.match
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CalendarFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32, unique=True)),
                ('made_at', models.DateTimeField()),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='calendar_feed', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ClubRecords',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('found', models.JSONField(default=dict)),
                ('counted_at', models.DateTimeField()),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='records', to='accounts.club')),
            ],
        ),
        migrations.CreateModel(
            name='EventTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('terms', models.JSONField()),
                ('facts', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='event_templates', to='accounts.club')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='event_template_once')],
            },
        ),
        migrations.CreateModel(
            name='RecurringEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('recurrence', models.JSONField()),
                ('hour', models.TimeField()),
                ('opens_days', models.PositiveSmallIntegerField(default=6)),
                ('status', models.CharField(choices=[('on', 'active'), ('paused', 'paused'), ('stopped', 'stopped')], default='on', max_length=8)),
                ('made_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('template', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recurring_events', to='tournaments.eventtemplate')),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='recurring_event_due_at')],
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.CharField(default=games.models.match.new_match_id, editable=False, max_length=16, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('about', models.TextField(blank=True, default='', max_length=2000, verbose_name='description')),
                ('timezone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('terms', models.JSONField(default=dict)),
                ('capacity', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('starts_itself', models.BooleanField(default=False)),
                ('password', models.CharField(blank=True, default='', max_length=128)),
                ('invitation', models.CharField(blank=True, default='', max_length=32)),
                ('phase', models.CharField(choices=[('open', 'registration open'), ('drawn', 'draw made'), ('running', 'in progress'), ('over', 'finished'), ('cancelled', 'cancelled')], default='open', max_length=10)),
                ('version', models.PositiveIntegerField(default=0)),
                ('seed', models.BinaryField(max_length=32)),
                ('seed_hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField()),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('start_at', models.DateTimeField(blank=True, null=True)),
                ('break_ends_at', models.DateTimeField(blank=True, null=True)),
                ('synced_version', models.PositiveIntegerField(default=0)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='accounts.club')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournaments_made', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['phase', '-created_at'], name='tournament_phase'), models.Index(condition=models.Q(('start_at__isnull', False)), fields=['start_at'], name='tournament_start_at'), models.Index(condition=models.Q(('break_ends_at__isnull', False)), fields=['break_ends_at'], name='tournament_recess_at')],
            },
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('written_name', models.CharField(blank=True, default='', max_length=80)),
                ('seed_rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('nonce', models.BinaryField(max_length=32)),
                ('checked_in', models.BooleanField(default=False)),
                ('withdrawn', models.BooleanField(default=False)),
                ('waiting', models.BooleanField(default=False)),
                ('paid', models.BooleanField(default=False)),
                ('entered_at', models.DateTimeField()),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='entrant_number_once'), models.UniqueConstraint(fields=('tournament', 'user'), name='entrant_user_once'), models.CheckConstraint(condition=models.Q(('user__isnull', False), models.Q(('written_name', ''), _negated=True), _connector='OR'), name='entrant_is_a_player_or_a_name')],
            },
        ),
        migrations.CreateModel(
            name='OutsideResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('event', models.CharField(blank=True, default='', max_length=80)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outside_results', to='accounts.club')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='outside_result', to='games.match')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'key'), name='outside_result_once')],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('rule', models.CharField(choices=[('places', 'points by place'), ('master', 'master points'), ('wins', 'matches won')], default='places', max_length=8)),
                ('points', models.JSONField(default=list)),
                ('presence', models.PositiveSmallIntegerField(default=0)),
                ('best', models.PositiveSmallIntegerField(default=0)),
                ('variants', models.JSONField(default=list)),
                ('made_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='accounts.club')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-last', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='season_once'), models.CheckConstraint(condition=models.Q(('last__gte', models.F('first'))), name='season_days')],
            },
        ),
        migrations.CreateModel(
            name='Placing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('place', models.PositiveSmallIntegerField()),
                ('sharing', models.PositiveSmallIntegerField()),
                ('division', models.PositiveSmallIntegerField(default=1)),
                ('wins', models.PositiveSmallIntegerField()),
                ('master_wins', models.PositiveIntegerField(default=0)),
                ('master_placement', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='placings', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placings', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['place', 'number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='placing_once')],
            },
        ),
        migrations.CreateModel(
            name='Occurrence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField()),
                ('reason', models.CharField(blank=True, default='', max_length=40)),
                ('recurring_event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='occurrences', to='tournaments.recurringevent')),
                ('tournament', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='occurrence', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['date'],
                'constraints': [models.UniqueConstraint(fields=('recurring_event', 'date'), name='occurrence_once')],
            },
        ),
        migrations.CreateModel(
            name='Meeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('section', models.CharField(max_length=24)),
                ('round', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('ready', 'to be played'), ('done', 'played')], default='ready', max_length=8)),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('no_show_at', models.DateTimeField(blank=True, null=True)),
                ('lock_at', models.DateTimeField(blank=True, null=True)),
                ('a', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings_a', to='tournaments.entrant')),
                ('b', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings_b', to='tournaments.entrant')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='meeting', to='games.match')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['section', 'round', 'number'],
                'indexes': [models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='meeting_remind_at'), models.Index(condition=models.Q(('no_show_at__isnull', False)), fields=['no_show_at'], name='meeting_no_show_at'), models.Index(condition=models.Q(('lock_at__isnull', False)), fields=['lock_at'], name='meeting_lock_at')],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'key'), name='meeting_key_once')],
            },
        ),
        migrations.CreateModel(
            name='Director',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='directs', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='directors', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'user'), name='director_once')],
            },
        ),
        migrations.CreateModel(
            name='TournamentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('act', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('data', models.JSONField(default=dict)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['n'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'n'), name='tournament_event_once')],
            },
        ),
        migrations.CreateModel(
            name='TournamentRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('section', models.CharField(max_length=24)),
                ('round', models.PositiveSmallIntegerField()),
                ('open_at', models.DateTimeField(blank=True, null=True)),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('stalled_at', models.DateTimeField(blank=True, null=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='round_rows', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['section', 'round'],
                'indexes': [models.Index(condition=models.Q(('open_at__isnull', False)), fields=['open_at'], name='round_open_at'), models.Index(condition=models.Q(('stalled_at__isnull', False)), fields=['stalled_at'], name='round_stalled_at')],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'section', 'round'), name='tournament_round_once')],
            },
        ),
    ]

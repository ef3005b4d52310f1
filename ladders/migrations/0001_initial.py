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
            name='LadderPulse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.CharField(default=games.models.match.new_match_id, editable=False, max_length=16, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('kind', models.CharField(choices=[('rating', 'by rating'), ('challenge', 'by challenge'), ('season', 'season points'), ('hill', 'king of the hill')], max_length=10)),
                ('variant', models.CharField(max_length=24)),
                ('length', models.PositiveSmallIntegerField()),
                ('clock_preset', models.CharField(max_length=16)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('rated', models.BooleanField(default=True)),
                ('config', models.JSONField(blank=True, default=dict)),
                ('status', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('season', models.PositiveSmallIntegerField(default=1)),
                ('season_name', models.CharField(blank=True, default='', max_length=60)),
                ('season_started_at', models.DateTimeField()),
                ('season_ends_at', models.DateTimeField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=0)),
                ('state', models.JSONField(blank=True, default=dict)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ladders', to='accounts.club')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['club', 'name'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='ladder_name_once_per_club')],
            },
        ),
        migrations.CreateModel(
            name='LadderChallenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('offered', 'waiting for an answer'), ('accepted', 'to be played'), ('done', 'played'), ('forfeit', 'forfeited'), ('dropped', 'called off')], default='offered', max_length=10)),
                ('made_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('challenger', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('defender', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='ladders.ladder')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ladder_challenge', to='games.match')),
                ('winner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='ladder_challenge_due'), models.Index(fields=['ladder', 'status'], name='ladder_challenge_status')],
                'constraints': [models.CheckConstraint(condition=models.Q(('challenger', models.F('defender')), _negated=True), name='ladder_challenge_of_two')],
            },
        ),
        migrations.CreateModel(
            name='LadderEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('season', models.PositiveSmallIntegerField()),
                ('type', models.CharField(max_length=20)),
                ('payload', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='ladders.ladder')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.match')),
            ],
            options={
                'ordering': ['ladder', 'n'],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'n'), name='ladder_event_once_per_number'), models.UniqueConstraint(condition=models.Q(('match__isnull', False)), fields=('ladder', 'match'), name='ladder_event_once_per_match')],
            },
        ),
        migrations.CreateModel(
            name='LadderPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField(blank=True, null=True)),
                ('rank_before', models.PositiveIntegerField(blank=True, null=True)),
                ('points', models.FloatField(default=0)),
                ('played', models.PositiveIntegerField(default=0)),
                ('won', models.PositiveIntegerField(default=0)),
                ('joined_at', models.DateTimeField()),
                ('active_at', models.DateTimeField()),
                ('immune_until', models.DateTimeField(blank=True, null=True)),
                ('away_until', models.DateTimeField(blank=True, null=True)),
                ('frozen', models.BooleanField(default=False)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='ladders.ladder')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ladder_places', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['ladder', 'rank'],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='ladder_player_due')],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'user'), name='ladder_player_once')],
            },
        ),
        migrations.CreateModel(
            name='LadderSeason',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(blank=True, default='', max_length=60)),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
                ('table', models.JSONField(default=list)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='ladders.ladder')),
            ],
            options={
                'ordering': ['ladder', '-number'],
                'constraints': [models.UniqueConstraint(fields=('ladder', 'number'), name='ladder_season_once')],
            },
        ),
    ]

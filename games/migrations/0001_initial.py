import django.db.models.deletion
import games.models.match
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.CharField(default=games.models.match.new_match_id, editable=False, max_length=16, primary_key=True, serialize=False)),
                ('variant', models.CharField(max_length=24)),
                ('length', models.PositiveSmallIntegerField()),
                ('rated', models.BooleanField(default=False)),
                ('clock_preset', models.CharField(max_length=16)),
                ('options', models.JSONField(default=dict)),
                ('source', models.CharField(blank=True, default='', max_length=8)),
                ('headers', models.JSONField(blank=True, default=dict)),
                ('status', models.CharField(choices=[('open', 'open'), ('live', 'in progress'), ('over', 'finished'), ('cancelled', 'cancelled')], default='open', max_length=10)),
                ('arranged', models.BooleanField(default=False)),
                ('title', models.CharField(blank=True, default='', max_length=120)),
                ('from_url', models.CharField(blank=True, default='', max_length=200)),
                ('adjournable', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=0)),
                ('roll_index', models.PositiveIntegerField(default=0)),
                ('snapshot', models.JSONField(default=dict)),
                ('dice', models.JSONField(blank=True, null=True)),
                ('clock', models.JSONField(blank=True, null=True)),
                ('clock_at', models.DateTimeField(blank=True, null=True)),
                ('flag_at', models.DateTimeField(blank=True, null=True)),
                ('bot_at', models.DateTimeField(blank=True, null=True)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('pause', models.JSONField(blank=True, null=True)),
                ('orders', models.JSONField(blank=True, null=True)),
                ('winner', models.CharField(blank=True, default='', max_length=5)),
                ('ended_by', models.CharField(blank=True, choices=[('score', 'on points'), ('resign', 'by resignation'), ('flag', 'on time'), ('ended', 'by agreement'), ('unfinished', 'unfinished'), ('stopped', 'called off'), ('absent', 'by absence')], default='', max_length=10)),
                ('creator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_created', to=settings.AUTH_USER_MODEL)),
                ('invited', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to=settings.AUTH_USER_MODEL)),
                ('rematch_of', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematch', to='games.match')),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('written_name', models.CharField(blank=True, default='', max_length=80)),
                ('points', models.FloatField(default=0)),
                ('won', models.BooleanField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('arrived_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='DiceSecret',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='dice_secret', serialize=False, to='games.match')),
                ('length', models.PositiveIntegerField()),
                ('seed', models.BinaryField(max_length=32)),
                ('marks', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Action',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('game_number', models.PositiveSmallIntegerField()),
                ('actor', models.CharField(choices=[('white', 'white'), ('black', 'black'), ('chance', 'chance'), ('server', 'server')], max_length=6)),
                ('text', models.CharField(max_length=120)),
                ('client_id', models.CharField(blank=True, max_length=40, null=True)),
                ('asked', models.CharField(blank=True, default='', max_length=200)),
                ('answer', models.PositiveIntegerField(blank=True, null=True)),
                ('element', models.CharField(blank=True, default='', max_length=64)),
                ('at', models.DateTimeField()),
                ('white_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('black_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='actions', to='games.match')),
            ],
            options={
                'ordering': ['match', 'n'],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('score_before', models.JSONField()),
                ('winner', models.CharField(blank=True, default='', max_length=5)),
                ('points', models.PositiveIntegerField(default=0)),
                ('kind', models.CharField(blank=True, default='', max_length=16)),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='games.match')),
            ],
            options={
                'ordering': ['match', 'number'],
            },
        ),
        migrations.CreateModel(
            name='MatchMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('favourite', models.BooleanField(default=False)),
                ('note', models.TextField(blank=True, default='', max_length=2000)),
                ('changed_at', models.DateTimeField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='match_marks', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='MatchTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=24)),
                ('key', models.CharField(max_length=72)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tags', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='match_tags', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RatedMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('weight', models.FloatField()),
                ('winner', models.CharField(max_length=5)),
                ('results', models.JSONField()),
                ('counts', models.BooleanField(default=True)),
                ('black', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rated_match', to='games.match')),
                ('white', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pool', 'n'],
            },
        ),
        migrations.CreateModel(
            name='RatingPool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('variant', models.CharField(max_length=24)),
                ('pace', models.CharField(max_length=16)),
                ('matches', models.PositiveIntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('variant', 'pace'), name='pool_once')],
            },
        ),
        migrations.CreateModel(
            name='RatingEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('rating_before', models.FloatField()),
                ('rating_after', models.FloatField()),
                ('experience_before', models.FloatField(default=0)),
                ('deviation_before', models.FloatField(blank=True, null=True)),
                ('deviation_after', models.FloatField(blank=True, null=True)),
                ('volatility_before', models.FloatField(blank=True, null=True)),
                ('volatility_after', models.FloatField(blank=True, null=True)),
                ('formula', models.JSONField(default=dict)),
                ('rated', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='games.ratedmatch')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_events', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='games.ratingpool')),
            ],
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.FloatField()),
                ('experience', models.FloatField(default=0)),
                ('deviation', models.FloatField(blank=True, null=True)),
                ('volatility', models.FloatField(blank=True, null=True)),
                ('matches', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0)),
                ('form', models.CharField(blank=True, default='', max_length=10)),
                ('peak', models.FloatField()),
                ('peak_at', models.DateTimeField()),
                ('last_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='games.ratingpool')),
            ],
        ),
        migrations.AddField(
            model_name='ratedmatch',
            name='pool',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='log', to='games.ratingpool'),
        ),
        migrations.CreateModel(
            name='ResultCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('reason', models.CharField(max_length=200)),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='games.match')),
            ],
            options={
                'ordering': ['match', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='RollCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('variant', models.CharField(max_length=24)),
                ('pace', models.CharField(max_length=16)),
                ('dice', models.PositiveSmallIntegerField()),
                ('count', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roll_counts', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SeatFacts',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='facts', serialize=False, to='games.seat')),
                ('variant', models.CharField(max_length=24)),
                ('pace', models.CharField(max_length=16)),
                ('length', models.PositiveSmallIntegerField()),
                ('won', models.BooleanField(null=True)),
                ('points', models.FloatField(default=0)),
                ('rival_points', models.FloatField(default=0)),
                ('ended_at', models.DateTimeField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('games_won', models.PositiveIntegerField(default=0)),
                ('games_lost', models.PositiveIntegerField(default=0)),
                ('gammons_won', models.PositiveIntegerField(default=0)),
                ('backgammons_won', models.PositiveIntegerField(default=0)),
                ('gammons_lost', models.PositiveIntegerField(default=0)),
                ('backgammons_lost', models.PositiveIntegerField(default=0)),
                ('doubles_offered', models.PositiveIntegerField(default=0)),
                ('doubles_taken', models.PositiveIntegerField(default=0)),
                ('doubles_dropped', models.PositiveIntegerField(default=0)),
                ('doubles_cashed', models.PositiveIntegerField(default=0)),
                ('rolls', models.PositiveIntegerField(default=0)),
                ('rolls_double', models.PositiveIntegerField(default=0)),
                ('pips', models.PositiveIntegerField(default=0)),
                ('bar_rolls', models.PositiveIntegerField(default=0)),
                ('bar_entered', models.PositiveIntegerField(default=0)),
                ('bar_expected', models.FloatField(default=0)),
                ('bar_variance', models.FloatField(default=0)),
                ('plays', models.PositiveIntegerField(default=0)),
                ('thinking_ms', models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='SiteHeartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('since', models.DateTimeField()),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'site heartbeat',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='site_heartbeat_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['user', 'starts_at'],
            },
        ),
        migrations.CreateModel(
            name='ArchiveExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('making', 'Making'), ('ready', 'Ready'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('touched_at', models.DateTimeField()),
                ('body', models.BinaryField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='archive_exports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-asked_at'], name='archive_export_user')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['waiting', 'making'])), fields=('user',), name='archive_export_one_at_a_time')],
            },
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('flag_at__isnull', False)), fields=['flag_at'], name='match_flag_at'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('bot_at__isnull', False)), fields=['bot_at'], name='match_bot_at'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='match_remind_at'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['status', '-created_at'], name='match_status_created'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['status', '-ended_at', '-id', 'variant', 'rated', 'ended_by', 'clock_preset', 'length'], name='match_finished'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['status', '-length', '-ended_at', '-id', 'variant', 'rated', 'ended_by', 'clock_preset'], name='match_longest'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['creator', '-ended_at', '-id', 'source'], name='match_creator_ended'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['from_url', 'status', '-ended_at', '-id', 'title'], name='match_from'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('winner__in', ['', 'white', 'black'])), name='match_winner_is_a_side'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'over'), ('winner', ''), _connector='OR'), name='match_winner_only_when_over'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('length__gte', 0)), name='match_length_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('from_url', ''), models.Q(('from_url__startswith', '/'), models.Q(('from_url__startswith', '//'), _negated=True)), _connector='OR'), name='match_from_url_is_a_path'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.UniqueConstraint(fields=('match', 'n'), name='action_once_per_number'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.UniqueConstraint(condition=models.Q(('client_id__isnull', False)), fields=('match', 'actor', 'client_id'), name='action_once_per_client_id'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(('actor__in', ['white', 'black', 'chance', 'server'])), name='action_actor'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(('n__gte', 1)), name='action_n_positive'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='game_once_per_number'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('winner__in', ['', 'white', 'black'])), name='game_winner_is_a_side'),
        ),
        migrations.AddIndex(
            model_name='matchmark',
            index=models.Index(condition=models.Q(('favourite', True)), fields=['user'], name='match_mark_favourite'),
        ),
        migrations.AddConstraint(
            model_name='matchmark',
            constraint=models.UniqueConstraint(fields=('user', 'match'), name='match_mark_once'),
        ),
        migrations.AddIndex(
            model_name='matchtag',
            index=models.Index(fields=['user', 'key'], name='match_tag_key'),
        ),
        migrations.AddConstraint(
            model_name='matchtag',
            constraint=models.UniqueConstraint(fields=('user', 'match', 'key'), name='match_tag_once'),
        ),
        migrations.AddIndex(
            model_name='ratingevent',
            index=models.Index(fields=['user', 'pool', 'n'], name='rating_event_user'),
        ),
        migrations.AddConstraint(
            model_name='ratingevent',
            constraint=models.UniqueConstraint(fields=('rated', 'user'), name='rating_event_once'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(fields=['pool', '-rating'], name='rating_pool_rating'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('pool', 'user'), name='rating_once'),
        ),
        migrations.AddConstraint(
            model_name='ratedmatch',
            constraint=models.UniqueConstraint(fields=('pool', 'n'), name='rated_once_per_number'),
        ),
        migrations.AddConstraint(
            model_name='ratedmatch',
            constraint=models.CheckConstraint(condition=models.Q(('white', models.F('black')), _negated=True), name='rated_two_players'),
        ),
        migrations.AddConstraint(
            model_name='ratedmatch',
            constraint=models.CheckConstraint(condition=models.Q(('winner__in', ('white', 'black'))), name='rated_winner_is_a_side'),
        ),
        migrations.AddConstraint(
            model_name='rollcount',
            constraint=models.UniqueConstraint(fields=('user', 'variant', 'pace', 'dice'), name='roll_count_once'),
        ),
        migrations.AddField(
            model_name='seatfacts',
            name='opponent',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='seatfacts',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['user', 'match'], name='seat_user_match'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['user', '-ended_at', '-match', 'won'], name='seat_user_ended'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'side'), name='seat_once_per_side'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'user'), name='seat_once_per_user'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ('white', 'black'))), name='seat_side_is_a_side'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('points__gte', 0)), name='seat_points_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('user__isnull', False), models.Q(('written_name', ''), _negated=True), _connector='OR'), name='seat_is_a_player_or_a_name'),
        ),
        migrations.AddIndex(
            model_name='vacation',
            index=models.Index(fields=['user', '-ends_at'], name='vacation_user_ends'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gte', models.F('starts_at'))), name='vacation_ends_after_its_start'),
        ),
        migrations.AddIndex(
            model_name='seatfacts',
            index=models.Index(fields=['user', 'variant', 'length'], name='facts_user_variant'),
        ),
        migrations.AddIndex(
            model_name='seatfacts',
            index=models.Index(fields=['user', 'opponent'], name='facts_user_opponent'),
        ),
    ]

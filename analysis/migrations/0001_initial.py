import django.db.models.deletion
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
            name='AnalysisPreferences',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('always', models.BooleanField(default=False, verbose_name='analyse all my matches')),
                ('public', models.BooleanField(default=False, verbose_name='make my error rates public')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='analysis_wishes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PositionCache',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('answer', models.JSONField()),
                ('used_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['used_at'], name='position_cache_used')],
            },
        ),
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('game', models.PositiveSmallIntegerField()),
                ('side', models.CharField(choices=[('white', 'white'), ('black', 'black')], max_length=5)),
                ('kind', models.CharField(choices=[('play', 'play'), ('double', 'double'), ('take', 'take')], max_length=6)),
                ('phase', models.CharField(max_length=8)),
                ('xgid', models.CharField(max_length=120)),
                ('played', models.CharField(max_length=120)),
                ('options', models.JSONField(default=list)),
                ('words', models.JSONField(default=list)),
                ('loss', models.FloatField()),
                ('gap', models.FloatField(default=0)),
                ('engine', models.CharField(blank=True, default='', max_length=40)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzles', to='games.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-loss'], name='puzzle_of_player')],
                'constraints': [models.UniqueConstraint(fields=('match', 'n'), name='puzzle_once'), models.CheckConstraint(condition=models.Q(('side__in', ('white', 'black'))), name='puzzle_side_is_a_side')],
            },
        ),
        migrations.CreateModel(
            name='DailyPuzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('puzzle', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='daily', to='analysis.puzzle')),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('depth', models.CharField(choices=[('quick', 'quick'), ('normal', 'thorough'), ('deep', 'deep')], default='quick', max_length=6)),
                ('status', models.CharField(choices=[('waiting', 'waiting'), ('making', 'in progress'), ('ready', 'ready'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('touched_at', models.DateTimeField()),
                ('made_at', models.DateTimeField(blank=True, null=True)),
                ('engine', models.CharField(blank=True, default='', max_length=40)),
                ('data', models.JSONField(blank=True, default=dict)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.match')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status__in', ['waiting', 'making'])), fields=['asked_at'], name='report_under_way'), models.Index(fields=['asked_by', '-asked_at'], name='report_asked_by')],
                'constraints': [models.UniqueConstraint(fields=('match', 'depth'), name='report_once_per_depth')],
            },
        ),
        migrations.CreateModel(
            name='TalliedReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('report', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='counted', to='analysis.report')),
            ],
        ),
        migrations.CreateModel(
            name='DailyVote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.CharField(max_length=120)),
                ('loss', models.FloatField(blank=True, null=True)),
                ('at', models.DateTimeField()),
                ('daily', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='votes', to='analysis.dailypuzzle')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('daily', 'user'), name='vote_once')],
            },
        ),
        migrations.CreateModel(
            name='FairPlayView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.club')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['club', '-at'], name='fair_play_look_last')],
            },
        ),
        migrations.CreateModel(
            name='PositionQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('xgid', models.CharField(max_length=120)),
                ('depth', models.CharField(choices=[('quick', 'quick'), ('normal', 'thorough'), ('deep', 'deep')], default='normal', max_length=6)),
                ('status', models.CharField(choices=[('waiting', 'waiting'), ('ready', 'ready'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('asked_at', models.DateTimeField()),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('answer', models.JSONField(blank=True, default=dict)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-asked_at'], name='question_of_player'), models.Index(condition=models.Q(('status', 'waiting')), fields=['asked_at'], name='question_waiting')],
            },
        ),
        migrations.CreateModel(
            name='MatchTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended_at', models.DateTimeField()),
                ('decisions', models.PositiveIntegerField()),
                ('lost', models.FloatField()),
                ('parts', models.JSONField(default=dict)),
                ('pace', models.JSONField(default=dict)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='analysis.report')),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-ended_at'], name='tally_of_player'), models.Index(fields=['-ended_at'], name='tally_ended')],
                'constraints': [models.UniqueConstraint(fields=('match', 'user'), name='tally_once'), models.CheckConstraint(condition=models.Q(('lost__gte', 0)), name='tally_loses_nothing_or_more')],
            },
        ),
        migrations.CreateModel(
            name='TrainerCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('box', models.PositiveSmallIntegerField(default=0)),
                ('due', models.DateField()),
                ('seen', models.PositiveIntegerField(default=0)),
                ('right', models.PositiveIntegerField(default=0)),
                ('begun', models.DateField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cards', to='analysis.puzzle')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cards', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'due'], name='card_due')],
                'constraints': [models.UniqueConstraint(fields=('user', 'puzzle'), name='card_once')],
            },
        ),
    ]

import accounts.models.clubs
import accounts.names.validation
import django.contrib.auth.models
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.manager
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def create_default_club(apps, schema_editor):
    """Create the club that every site has from its first day."""
    apps.get_model("accounts", "Club").objects.create(name="Tablero", slug="tablero", is_default=True, joining="open", makers="members", timezone=settings.TIME_ZONE)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'That username is already taken.'}, help_text='2 to 24 letters, digits, dots, dashes or underscores.', max_length=24, unique=True, validators=[accounts.names.validation.validate_name], verbose_name='name')),
                ('name_key', models.CharField(editable=False, max_length=72, unique=True)),
                ('name_skeleton', models.CharField(db_index=True, default='', editable=False, max_length=96)),
                ('is_guest', models.BooleanField(default=False)),
                ('is_bot', models.BooleanField(default=False)),
                ('bot_level', models.PositiveSmallIntegerField(blank=True, null=True, unique=True)),
                ('left_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('language', models.CharField(blank=True, default='', max_length=5, verbose_name='language')),
                ('theme', models.CharField(choices=[('auto', 'Same as my device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=5, verbose_name='theme')),
                ('direction', models.CharField(choices=[('ccw', 'Home on the right'), ('cw', 'Home on the left')], default='ccw', max_length=3, verbose_name='board direction')),
                ('sound', models.BooleanField(default=True, verbose_name='sounds')),
                ('auto_roll', models.BooleanField(default=True, verbose_name='roll automatically when there is no cube decision')),
                ('auto_forced', models.BooleanField(default=True, verbose_name='play forced moves automatically')),
                ('board', models.CharField(choices=[('walnut', 'Walnut'), ('leather', 'Leather'), ('ocean', 'Ocean'), ('slate', 'Slate'), ('maple', 'Maple'), ('contrast', 'High contrast')], default='walnut', max_length=8, verbose_name='board')),
                ('checkers', models.CharField(choices=[('ivory', 'Ivory and ebony'), ('amber', 'Amber and navy'), ('rose', 'Rose and burgundy'), ('mint', 'Mint and plum'), ('contrast', 'White and black')], default='ivory', max_length=8, verbose_name='checkers')),
                ('dice', models.CharField(choices=[('player', 'Colour of the player'), ('ivory', 'Ivory'), ('ruby', 'Ruby'), ('sapphire', 'Sapphire')], default='player', max_length=8, verbose_name='dice and cube')),
                ('animation', models.CharField(choices=[('off', 'Off'), ('fast', 'Fast'), ('normal', 'Normal'), ('slow', 'Slow')], default='normal', max_length=6, verbose_name='animation speed')),
                ('volume', models.PositiveSmallIntegerField(default=60, help_text='0 to 100 percent', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='sound volume')),
                ('haptics', models.BooleanField(default=True, verbose_name='vibrate on a phone')),
                ('confirm', models.BooleanField(default=True, verbose_name='ask me to confirm each play')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='bots', to=settings.AUTH_USER_MODEL)),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='user_email_once'), models.CheckConstraint(condition=models.Q(('is_bot', True), models.Q(('bot_level', None), ('owner', None)), _connector='OR'), name='user_level_and_owner_of_bots'), models.CheckConstraint(condition=models.Q(('bot_level', None), ('owner', None), _connector='OR'), name='user_bot_of_house_or_member')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='QueuedEmail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('reset', 'Reset'), ('rendered', 'Rendered')], default='rendered', max_length=10)),
                ('address', models.EmailField(max_length=254)),
                ('language', models.CharField(blank=True, default='', max_length=5)),
                ('site_url', models.CharField(blank=True, default='', max_length=300)),
                ('subject', models.CharField(blank=True, default='', max_length=300)),
                ('body', models.TextField(blank=True, default='')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['due_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ActiveSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(max_length=40, unique=True)),
                ('browser', models.CharField(blank=True, default='', max_length=20)),
                ('system', models.CharField(blank=True, default='', max_length=20)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='active_sessions', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BotToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bot_token', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(unique=True)),
                ('is_default', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('about', models.TextField(blank=True, default='', max_length=2000, verbose_name='about the club')),
                ('place', models.CharField(blank=True, default='', max_length=120, verbose_name='location')),
                ('meets', models.CharField(blank=True, default='', max_length=120, verbose_name='when it meets')),
                ('website', models.URLField(blank=True, default='', verbose_name='website')),
                ('timezone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('joining', models.CharField(choices=[('open', 'Anyone can join'), ('ask', 'On request: an owner approves each one'), ('invited', 'By invitation only')], default='ask', max_length=8, verbose_name='how to join')),
                ('makers', models.CharField(choices=[('directors', 'Directors'), ('members', 'Any member')], default='directors', max_length=10, verbose_name='who can create events')),
                ('rated', models.CharField(choices=[('all', 'All events'), ('choose', 'The director decides'), ('none', 'None')], default='choose', max_length=8, verbose_name='rated events')),
                ('outside', models.BooleanField(default=False, verbose_name='over-the-board results count for ratings')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('is_default',), name='club_one_default')],
            },
        ),
        migrations.CreateModel(
            name='PersonalToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('tail', models.CharField(max_length=4)),
                ('scopes', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='personal_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Ban',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(max_length=500)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bans', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-since', '-pk'],
                'indexes': [models.Index(condition=models.Q(('ended_at', None), ('until__isnull', False)), fields=['until'], name='ban_until')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('user',), name='ban_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='ClubEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('data', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField()),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='accounts.club')),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['club', '-at', '-id'], name='club_event_last')],
            },
        ),
        migrations.CreateModel(
            name='DataExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('making', 'Making'), ('ready', 'Ready'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('asked_at', models.DateTimeField()),
                ('touched_at', models.DateTimeField()),
                ('body', models.BinaryField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='data_exports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-asked_at'], name='data_export_user')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['waiting', 'making'])), fields=('user',), name='data_export_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='FormerName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=24)),
                ('key', models.CharField(db_index=True, max_length=72)),
                ('until', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-until', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='former_name_once')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=accounts.models.clubs.new_invitation_token, editable=False, max_length=32, unique=True)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('most_uses', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('uses', models.PositiveSmallIntegerField(default=0)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('email', models.EmailField(blank=True, default='', max_length=254)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.club')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('most_uses', None), ('uses__lte', models.F('most_uses')), _connector='OR'), name='invitation_not_used_up_twice')],
            },
        ),
        migrations.CreateModel(
            name='JoinRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(blank=True, default='', max_length=200)),
                ('asked_at', models.DateTimeField()),
                ('accepted', models.BooleanField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='requests', to='accounts.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='club_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['asked_at', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('accepted', None)), fields=('club', 'user'), name='join_request_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('member', 'Member')], default='member', max_length=10, verbose_name='role')),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('until', models.DateField(blank=True, null=True, verbose_name='member until')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='membership_once')],
            },
        ),
        migrations.CreateModel(
            name='PlayerNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=2000)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('about', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='player_notes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('by', 'about'), name='player_note_once')],
            },
        ),
        migrations.CreateModel(
            name='Relationship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('block', 'Block'), ('mute', 'Mute'), ('follow', 'Follow')], max_length=6)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('about', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relationships_about', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relationships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('by', 'about', 'kind'), name='relationship_once'), models.CheckConstraint(condition=models.Q(('by', models.F('about')), _negated=True), name='relationship_with_another')],
            },
        ),
        migrations.CreateModel(
            name='SupportAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('find', 'searched for an e-mail address'), ('look', 'viewed private data'), ('ban', 'closed the account'), ('lift', 'reopened the account'), ('rename', 'changed the username'), ('merge', 'merged two accounts'), ('log_out', 'signed the person out everywhere'), ('reset', 'created a password reset link'), ('second', 'turned off two-factor authentication'), ('export', "requested an export of the person's data")], max_length=8)),
                ('reason', models.TextField(max_length=500)),
                ('data', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='support_acts', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'default_manager_name': 'rows',
                'indexes': [models.Index(fields=['-at', '-id'], name='support_act_last'), models.Index(fields=['about', '-at'], name='support_act_about'), models.Index(fields=['by', '-at'], name='support_act_by')],
            },
            managers=[
                ('rows', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='MergedAccount',
            fields=[
                ('source', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='merged_account', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absorbed_accounts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='merged_two_accounts')],
            },
        ),
        migrations.RunPython(create_default_club, migrations.RunPython.noop),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EventLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(default=0)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('subject', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('version', models.PositiveIntegerField()),
                ('status', models.CharField(blank=True, default='', max_length=12)),
                ('at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['at'], name='checkpoint_at')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=90, unique=True)),
                ('kind', models.CharField(max_length=24)),
                ('subject', models.CharField(max_length=40)),
                ('at', models.DateTimeField()),
                ('data', models.JSONField(default=dict)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
                'indexes': [models.Index(fields=['at'], name='event_at')],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=2000)),
                ('name', models.CharField(blank=True, default='', max_length=60)),
                ('secret_locked', models.CharField(max_length=200)),
                ('kinds', models.JSONField(blank=True, default=list)),
                ('subjects', models.JSONField(blank=True, default=list)),
                ('active', models.BooleanField(default=True)),
                ('since', models.DateTimeField()),
                ('made_at', models.DateTimeField()),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('rests_until', models.DateTimeField(blank=True, null=True)),
                ('gave_up_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(max_length=40)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['until'], name='subscription_until')],
                'constraints': [models.UniqueConstraint(fields=('user', 'topic'), name='subscription_once')],
            },
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(max_length=40)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to='eventlog.event')),
            ],
            options={
                'verbose_name_plural': 'topics',
                'constraints': [models.UniqueConstraint(fields=('topic', 'event'), name='topic_once')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('why', models.CharField(blank=True, default='', max_length=40)),
                ('taken', models.BooleanField(default=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='eventlog.event')),
                ('hook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='eventlog.webhook')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='delivery_due'), models.Index(fields=['hook', '-id'], name='delivery_of_hook')],
                'constraints': [models.UniqueConstraint(fields=('hook', 'event'), name='delivery_once'), models.CheckConstraint(condition=models.Q(('taken', False), ('due_at', None), _connector='OR'), name='delivery_taken_is_over')],
            },
        ),
    ]

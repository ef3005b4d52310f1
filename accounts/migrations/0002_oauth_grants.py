"""Grants point to allauth's OAuth clients, whose tables need the user model of 0001: so they cannot stand in it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
        ('allauth_idp_oidc', '0003_client_allow_uri_wildcards'),
    ]

    operations = [
        migrations.CreateModel(
            name='OAuthGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('client', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='oauth_grants', to='allauth_idp_oidc.client')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='oauth_grants', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='UsedOAuthToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('grant', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='used_tokens', to='accounts.oauthgrant')),
            ],
        ),
    ]

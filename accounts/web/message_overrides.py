"""Messages of Django and allauth that the site's catalogue translates its own way (Spanish with "tú").

Nothing here is called: the site's catalogue comes before theirs, and these lines let makemessages extract the texts.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

MESSAGES = (
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    _("Please type your current password."),
    _("You must type the same password each time."),
    _("The username and/or password you specified are not correct."),
    _("The email address and/or password you specified are not correct."),
    _("Too many failed login attempts. Try again later."),
    _("Username can not be used. Please use other username."),
    _("A user with that username already exists."),
    _("Forgot your password?"),
    _("Username or email"),
    _("Username"),
    _("Email Addresses"),
    _("The following email addresses are associated with your account:"),
    _("Do you really want to remove the selected email address?"),
    _("Removed email address %(email)s."),
    _("Confirmation email sent to %(email)s."),
    _("You have confirmed %(email)s."),
    _("Password successfully changed."),
    _("Your password is now changed."),
    _("Your password has been changed."),
    _("Bad Token"),
    _("Enter your password:"),
    _("Please reauthenticate to safeguard your account."),
    _("New Password"),
    _("Incorrect code."),
    _("Code"),
    _("Authenticator code"),
    _("Use your password"),
    _("Use authenticator app or code"),
    _("Use a security key"),
    _("Authenticator app activated."),
    _("Authenticator app deactivated."),
    _("Security key added."),
    _("Security key removed."),
    _("A new set of recovery codes has been generated."),
    _("Save them  in a secure location now — they won't be shown again."),
    _("You cannot deactivate two-factor authentication."),
)

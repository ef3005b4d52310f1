"""The site's admin: staff only, with their permissions. Extra actors: a superuser, and staff without permissions."""

from tests.access.matrix_format import Area, Row, form, page
from tests.access.world import ACTORS, PASSWORD

MODELS = {
    "auth_group": ("{group}", "VVVVV"),
    "account_emailaddress": ("{email}", "VVVVV"),
    "accounts_user": ("{player_id}", "VVVVR"),
    "accounts_club": ("{club_id}", "VVVVV"),
    "accounts_ban": ("0", "VRRRR"),
    "accounts_clubevent": ("{club_event}", "VRVVR"),
    "accounts_formername": ("0", "VRRRR"),
    "accounts_mergedaccount": ("0", "VRRRR"),
    "accounts_supportact": ("0", "VRRRR"),
    "admin_logentry": ("0", "VRRRR"),
    "allauth_idp_oidc_client": ("0", "VVRRR"),
    "allauth_idp_oidc_token": ("0", "VVRRR"),
    "games_action": ("{action}", "VRVVR"),
    "games_match": ("{over}", "VRVVR"),
    "games_ratedmatch": ("{rated}", "VRVVR"),
    "games_rating": ("{rating}", "VRVVR"),
    "games_ratingevent": ("{rating_event}", "VRVVR"),
    "games_resultcorrection": ("0", "VRRRR"),
    "mfa_authenticator": ("{authenticator}", "VVVVV"),
}
"""The tables of the admin: a row of each (0: there is none), and what a superuser gets of the five pages below."""


def pages_of(model: str, object_id: str, gets: str) -> tuple[Row, ...]:
    """The pages of a table: for superusers, and for staff with its permissions."""
    pages = (("changelist", ""), ("add", ""), ("change", object_id), ("history", object_id), ("delete", object_id))
    return tuple(
        page(f"admin:{model}_{view}", arguments, f"LL LLLL LLLL{letter}P")
        for (view, arguments), letter in zip(pages, gets, strict=True)
    )


ROWS: tuple[Row, ...] = (
    page("admin:index", "", "LL LLLL LLLLVP"),
    page("admin:login", "", "VV VVVV VVVVVP"),
    form("admin:login", "", "NN NNNN NNNNNP", username="julia", password=PASSWORD),
    form("admin:logout", "", "NN NNNN NNNNDN"),
    page("admin:password_change", "", "LL LLLL LLLLVP"),
    page("admin:password_change_done", "", "LL LLLL LLLLVP"),
    page(
        "admin:autocomplete", "", "LL LLLL LLLLVP", query="app_label=games&model_name=match&field_name=creator&term=a"
    ),
    page("admin:jsi18n", "", "LL LLLL LLLLVL"),
    page("admin:view_on_site", "1 1", "LL LLLL LLLLHP"),
    page("admin:app_list", "games", "LL LLLL LLLLVP"),
    page("admin:auth_user_password_change", "{player_id}", "LL LLLL LLLLRP"),
    form(
        "admin:auth_user_password_change",
        "{player_id}",
        "LL LLLL LLLLRP",
        password1="nogal amarillo 7",
        password2="nogal amarillo 7",
        usable_password="true",
    ),
    *(row for model, (object_id, gets) in MODELS.items() for row in pages_of(model, object_id, gets)),
    page("/admin/accounts/user/{player_id}/", "", "LL LLLL LLLLVP"),
    page("/admin/nothing/here/", "", "LL LLLL LLLLHP"),
)

AREA = Area("admin", ROWS, (*ACTORS, "superuser", "bare staff"))

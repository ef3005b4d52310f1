"""A passkey as a browser hands it in when it is made: a device of the tests' own."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

NUMBER = b"the passkey of the tests"


def credential(host: str = "localhost") -> dict[str, Any]:
    """What the site keeps of a passkey for `host`."""
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    made = AttestedCredentialData.create(b"\0" * 16, NUMBER, key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    device = AuthenticatorData.create(b"\0" * 32, flags, 0, bytes(made))
    said = CollectedClientData.create(CollectedClientData.TYPE.CREATE, b"challenge", f"https://{host}")
    return {
        "id": websafe_encode(NUMBER),
        "rawId": websafe_encode(NUMBER),
        "type": "public-key",
        "clientExtensionResults": {"credProps": {"rk": True}},
        "response": {
            "attestationObject": websafe_encode(AttestationObject.create("none", device, {})),
            "clientDataJSON": websafe_encode(said),
        },
    }

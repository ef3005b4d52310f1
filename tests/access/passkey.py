"""The data of a registered passkey, without a browser: what the row of its owner holds."""

from __future__ import annotations

import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

HOST = "testserver"


def registered() -> dict[str, Any]:
    """The registration response of an authenticator for this site."""
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    made = AttestedCredentialData.create(Aaguid.NONE, b"passkey of the tests", key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    attestation = AttestationObject.create("none", AuthenticatorData.create(sha256(HOST.encode()), flags, 0, made), {})
    client = {"type": "webauthn.create", "challenge": websafe_encode(b"challenge"), "origin": f"https://{HOST}"}
    response = {
        "clientDataJSON": websafe_encode(json.dumps(client).encode()),
        "attestationObject": websafe_encode(attestation),
    }
    called = websafe_encode(made.credential_id)
    return {"id": called, "rawId": called, "type": "public-key", "response": response}

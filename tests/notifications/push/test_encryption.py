"""Messages that only the receiver can read, byte for byte as in the RFC."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from notifications.push.encryption import b64, encrypt, unb64
from tests.services.push_service import Receiver

# RFC 8291, section 5 and appendix A
TEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
    "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(unb64(text), "big"), ec.SECP256R1())


def test_the_rfc_example_is_encrypted_byte_for_byte() -> None:
    body = encrypt(TEXT, receiver=unb64(RECEIVER_PUBLIC), auth=unb64(AUTH), key=private(SENDER), salt=unb64(SALT))
    assert b64(body) == BODY


def test_the_test_push_service_decrypts_the_example() -> None:
    receiver = Receiver(private(RECEIVER), unb64(AUTH))
    assert b64(receiver.public) == RECEIVER_PUBLIC
    assert receiver.opened(unb64(BODY)) == TEXT


def test_only_the_receiver_decrypts_a_message_and_no_two_are_alike() -> None:
    ana, bea = Receiver(), Receiver()
    first, second = (encrypt(TEXT, receiver=ana.public, auth=ana.secret) for _ in range(2))
    assert first != second
    assert ana.opened(first) == ana.opened(second) == TEXT
    with pytest.raises(InvalidTag):
        bea.opened(first)
    with pytest.raises(InvalidTag):
        Receiver(ana.key, bea.secret).opened(first)


@pytest.mark.parametrize(
    ("receiver", "auth", "text"),
    [
        (b"\x04" + bytes(64), bytes(16), TEXT),  # not a point of the curve
        (b"", bytes(16), TEXT),
        (unb64(RECEIVER_PUBLIC), bytes(15), TEXT),
        (unb64(RECEIVER_PUBLIC), bytes(16), bytes(4080)),
    ],
)
def test_invalid_encryption_input_is_refused(receiver: bytes, auth: bytes, text: bytes) -> None:
    with pytest.raises(ValueError):
        encrypt(text, receiver=receiver, auth=auth)


@pytest.mark.parametrize("text", ["a", "a b=", "ñandú", "!!!!"])
def test_invalid_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        unb64(text)

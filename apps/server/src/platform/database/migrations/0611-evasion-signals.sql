-- A passkey connects accounts as a device does: each passkey that a device of the user answered with, as a keyed hash.
alter table client_signals drop constraint client_signals_signal_check,
  add constraint client_signals_signal_check check (signal in ('fingerprint', 'pro_fingerprint', 'device', 'network', 'passkey'));
-- An account that holds a passkey of a banned user, and one that is paid out to the same address.
alter table findings drop constraint findings_kind_check,
  add constraint findings_kind_check check (kind in (
    'nudity', 'absence', 'contradiction', 'never_reported', 'chargeback', 'referral', 'linked',
    'banned_device', 'banned_passkey', 'banned_instrument', 'banned_wallet', 'banned_picture'));

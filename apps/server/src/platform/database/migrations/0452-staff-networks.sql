-- The keyed hash of the network of a sign-in, as of client_signals: staff do not decide about users of their own network.
alter table staff_sessions add column network_hash bytea;

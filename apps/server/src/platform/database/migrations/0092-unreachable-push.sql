-- Since when the address of a browser has answered nothing: after a day it is removed.
alter table push_subscriptions add column unreachable_since timestamptz;

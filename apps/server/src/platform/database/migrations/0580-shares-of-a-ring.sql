-- Accounts of one user that invited each other in a circle bring each other nothing.
alter table referral_shares drop constraint referral_shares_flag_check,
  add constraint referral_shares_flag_check check (flag in ('same_device', 'same_instrument', 'same_wallet', 'ring'));

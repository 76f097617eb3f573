-- The kind of a believed notice and the provider's name of its step, `refunded:…`: a case of one step is settled by this step alone.
alter table payment_callbacks add column step text;

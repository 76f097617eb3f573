-- Whether the complaints of strangers had their alarm of the day.
create index complaints_alarmed on complaints (alarmed_at) where alarmed_at is not null;

-- When the last alarm about reports of children was.
create index reports_alarmed on reports (alarmed_at) where alarmed_at is not null;

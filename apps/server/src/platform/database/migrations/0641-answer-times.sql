-- The median answer of each queue is read from what was decided lately; complaints and reports have such an index.
create index appeals_decided on appeals (decided_at) where decided_at is not null;
create index findings_decided on findings (decided_at) where decided_at is not null;
create index media_answered on media (reviewed_at) where reviewed_at is not null;
create index identity_checks_decided on identity_checks (decided_at) where decided_at is not null;
create index payment_callbacks_settled on payment_callbacks (settled_at) where settled_at is not null;

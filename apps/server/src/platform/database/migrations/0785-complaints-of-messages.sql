-- Each message has a complaint of its own; without a message there is one a day.
drop index complaints_of_day;
create unique index complaints_of_day on complaints (complainer_id, accused_id, day, coalesce(message_id, 0)) where session_id is null;

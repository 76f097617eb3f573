-- The call in which an act was imposed: an appeal is decided with its frames.
alter table statements add column session_id bigint;

-- A ban can have a screenshot as a penalty has.
alter table penalty_pictures drop constraint penalty_pictures_statement_id_fkey;
alter table penalty_pictures add constraint penalty_pictures_statement_id_fkey
  foreign key (statement_id) references statements (statement_id);

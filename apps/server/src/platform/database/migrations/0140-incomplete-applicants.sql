-- A user who has not sent all documents to the provider yet is not being checked there.
alter table kyc_applicants drop constraint kyc_applicants_answer_check;
alter table kyc_applicants add constraint kyc_applicants_answer_check
  check (answer in ('incomplete', 'open', 'green', 'red'));

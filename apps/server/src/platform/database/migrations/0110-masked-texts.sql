-- Every look of staff at the texts of a user as they were before masking. Behind a look that is done, only later texts wait.
create table masked_text_views (
  view_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  viewer text not null,
  is_done boolean not null default false,
  at timestamptz not null
);
create index masked_text_views_of on masked_text_views (user_id, at);
create index masked_text_views_at on masked_text_views using brin (at);

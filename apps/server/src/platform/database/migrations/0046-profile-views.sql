-- Views of the pages of girls by members, once a viewer and day.
create table profile_views (
  id bigint generated always as identity primary key,
  girl_id bigint not null references users (id),
  viewer_id bigint not null references users (id),
  day date not null,
  unique (girl_id, day, viewer_id),
  check (girl_id <> viewer_id)
);
create index profile_views_of_viewer on profile_views (viewer_id);
create index profile_views_day on profile_views using brin (day);

import { impersonalTable, personalTable } from './personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

/** The tables that belong to no module. */
export const platformTables: readonly PersonalTable[] = [
  impersonalTable('schema_migrations', 'the migrations of this database'),
  impersonalTable('job_periods', 'the periods of jobs'),
  impersonalTable('job_runs', 'the last runs of jobs'),
  impersonalTable('retention_runs', 'the runs of the retention rules'),
  impersonalTable('process_owners', 'the running server processes'),
  impersonalTable('passed_captchas', 'hashes of solutions without a user'),
  personalTable('outbox', {
    users: [],
    erasure: 'aged',
    why: 'a delivered row is deleted after days; a dead letter of mail or push after a month, any other waits for the operator',
    exported: { not: 'what it delivers is in the tables of the modules' },
  }),
  personalTable('idempotent_answers', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: { not: 'copies of answers that the user received, for two days' },
  }),
]

import { z } from 'zod'
import { count, list, pattern } from '../../lib/configuration/variables.ts'

export const DATABASE_VARIABLES = {
  DATABASE_URL: pattern(
    'an address of PostgreSQL like postgres://user:password@host:5432/name',
    /^postgres(ql)?:\/\/./,
  ).meta({
    secret: true,
    description: 'PostgreSQL 15 or newer. Absent: the embedded database in DATA_DIR.',
  }),
  DATABASE_POOL: count('a number from 2 to 200', 2, 200)
    .prefault('20')
    .describe('Connections to the database.'),
  BACKUP_RECIPIENTS: list(
    'public keys of age with commas between, like age1…',
    z.string().regex(/^age1[a-z0-9]{50,}$/),
  ).describe(
    'Backups are encrypted for the owners of these keys; the secret keys stay on another machine. Absent: backups are not encrypted.',
  ),
}

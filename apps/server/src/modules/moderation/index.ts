/**
 * Moderation: what staff see of users who try to exchange contacts.
 *
 * Tables         masked_text_views (looks of staff at texts as they were written)
 * Does not know  how contacts are masked, when a text was sent or is removed: messenger and calls store the originals, and
 *                this module only reads them
 * Invariants     a look is recorded before it reads a text, and only texts that a look has shown are done
 */
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'

export const moderation = module('moderation', {
  commands,
  personalData: {
    tables: [
      personalTable('masked_text_views', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'a record about staff' },
      }),
    ],
  },
  retention: [
    deleteRows('masked_text_views', 'at', (context) => setting(context, 'text_original_days')),
  ],
})

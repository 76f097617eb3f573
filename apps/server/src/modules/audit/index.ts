/**
 * Audit: what staff did and looked at, in rows that nothing changes.
 *
 * Tables         audit_entries (append-only, each row with the hash of the row before it)
 * Does not know  what an act means: the modules write their acts in the transactions of the acts
 * Invariants     every changed, missing or inserted row is found (M15)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { auditPage, exportAudit, verifyAudit } from './audit-page.ts'
import { commands } from './commands.ts'
import { jobs } from './jobs.ts'

export const audit = module('audit', {
  endpoints: {
    'GET v2/manager/audit': auditPage,
    'GET v2/manager/audit/verify': verifyAudit,
    'GET v2/manager/audit/export': exportAudit,
  } satisfies Partial<EndpointsOf<'audit'>>,
  commands,
  jobs,
  personalData: {
    tables: [
      personalTable('audit_entries', {
        users: ['user_id'],
        erasure: 'kept',
        why: 'a record about staff, kept by law; ids, reasons, times and what the user was told, and a gap would hide an act',
        exported: { not: 'a record about staff' },
      }),
    ],
  },
})

export type { Facts } from './chain.ts'
export { readActs, readDecisions, readEntries } from './queries.ts'
export { staffEmails } from './audit-page.ts'
export type { Actor } from '../../core/viewer.ts'
export { type AuditedAct, shellActor, writeAudit } from './write-audit.ts'

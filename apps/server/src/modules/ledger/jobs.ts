import type { App } from '../../core/app.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { ledgerCheck } from './check.ts'

async function checkLedger(app: App): Promise<void> {
  const { ok, checked, differences } = await ledgerCheck(app.db)
  if (ok) app.log.info({ checked }, 'the ledger agrees with itself')
  else app.log.error({ checked, differences }, 'the ledger does not agree with itself')
}

export const jobs: Readonly<Record<string, Job>> = {
  'ledger check': {
    says: 'Proves every night that balances are what the transfers say.',
    cron: '30 4 * * *',
    run: checkLedger,
  },
}

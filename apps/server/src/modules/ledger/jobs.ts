import type { App } from '../../core/app.ts'
import type { Job } from '../../core/job.ts'
import { verifyLedger } from './check.ts'

async function checkLedger(app: App): Promise<void> {
  const { ok, checked, verified, differences } = await verifyLedger(app)
  if (ok) app.log.info({ checked, verified }, 'the ledger is consistent')
  else app.log.error({ checked, verified, differences }, 'the ledger is not consistent')
}

export const jobs: Readonly<Record<string, Job>> = {
  'ledger check': {
    summary: 'Checks every night that balances equal the sums of their transfers.',
    cron: '30 4 * * *',
    run: checkLedger,
  },
}

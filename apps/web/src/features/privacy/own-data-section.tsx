import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '@duet/ui'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { releaseLeaving } from '../../shared/navigation/leave-guard.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { saveFile } from '../../shared/media/save-file.ts'
import { usePress } from '../../shared/controls/use-press.ts'

/** The copy of the own data, and the deletion of the account. */
export function OwnDataSection() {
  const { connection } = useAppServices()
  const navigate = useNavigate()
  const { busy, press: download } = usePress(async () => {
    const confirmed = await dialogs.ask('export_data', {})
    if (confirmed)
      saveFile(await connection.http.download('account/export', confirmed), 'duet-data.zip')
  })
  async function leave(): Promise<void> {
    const answer = await dialogs.ask('delete_account', {})
    if (!answer) return
    // The login has ended, and the page continues as a guest. This page is for members.
    await releaseLeaving()
    await navigate('/')
    dialogs.open('account_leaves', answer)
  }
  return (
    <div className="panel flex flex-col divide-y divide-hair px-5">
      <Row title={t('privacy.export')} text={t('privacy.export_text')}>
        <Button variant="outline" busy={busy} onClick={() => void download()}>
          {t('privacy.export_get')}
        </Button>
      </Row>
      <Row
        title={t('privacy.delete')}
        text={t('privacy.delete_text', { days: limits.deletion_days })}
      >
        <Button variant="danger-quiet" onClick={() => void leave()}>
          {t('privacy.delete_ask')}
        </Button>
      </Row>
    </div>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <span className="min-w-0 flex-1 basis-64">
        <span className="ui block text-text">{title}</span>
        <span className="note block text-text-3">{text}</span>
      </span>
      {children}
    </div>
  )
}

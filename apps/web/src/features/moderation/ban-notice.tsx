import { GavelIcon } from '@phosphor-icons/react/dist/csr/Gavel'
import { HourglassIcon } from '@phosphor-icons/react/dist/csr/Hourglass'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import type { ModerationInfo } from '@duet/protocol/kernel/sanctions.ts'
import { Banner, Button } from '@duet/ui'
import { useNow } from '../../shared/controls/use-time.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { timeUntil } from '../../shared/texts/time-ago.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { Appeal } from './appeal.tsx'
import { BrokenRule } from './broken-rule.tsx'
import { reasonText, timeText } from './sanction-texts.ts'
import { StatementEvidence } from './statement-evidence.tsx'

interface BanNoticeProps {
  info: ModerationInfo
  onLogOut: () => void
  /** The own data, which stays open to a banned user. */
  children: ReactNode
}

/** The only card of a banned user: why, until when, and what is still possible. */
export function BanNotice({ info, onLogOut, children }: BanNoticeProps) {
  const { kind, reason, comment, unban_time, statement_id } = info
  const isBan = kind === 'ban'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section className="panel w-full max-w-[480px] rounded-dialog! bg-surface-1 p-6 md:p-8">
      <span className="inline-flex size-12 items-center justify-center rounded-row bg-warn-lo text-warn">
        <GavelIcon size={26} weight="duotone" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="display-s mt-5 outline-none">
        {t(isBan ? 'ban.title' : 'ban.suspended')}
      </h1>
      <p className="body mt-2 text-text-2">
        {isBan ? t('ban.reason', { reason: reasonText(reason) }) : t('ban.suspended_text')}
      </p>
      {comment ? (
        <p className="body mt-3 whitespace-pre-line break-words text-text">{comment}</p>
      ) : null}
      {isBan ? <BanEnd unbanTime={unban_time} /> : null}
      <p className="note mt-4 text-text-3">{t('ban.statement', { id: statement_id })}</p>
      <BanAppeal info={info} />
      <div className="mt-6">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => dialogs.open('terms', {})}>
          {t('ban.rules')}
        </Button>
        <Button
          variant="quiet"
          icon={<SignOutIcon size={20} className="mirror" />}
          onClick={onLogOut}
        >
          {t('action.log_out')}
        </Button>
      </div>
    </section>
  )
}

/** The statement has the evidence, and says how an appeal stands, also after a reload. */
function BanAppeal({ info: { statement_id, can_appeal } }: { info: ModerationInfo }) {
  const { connection } = useAppServices()
  const { data } = useQuery({
    queryKey: ['statements', statement_id],
    queryFn: () => connection.http.get('statements/{id}', { id: statement_id }),
  })
  return (
    <>
      <BrokenRule rule={data?.rule} />
      <StatementEvidence statement={data} />
      <Appeal
        statement_id={statement_id}
        can_appeal={data?.can_appeal ?? can_appeal}
        appeal={data?.appeal}
      />
    </>
  )
}

function BanEnd({ unbanTime }: { unbanTime: string | null }) {
  const now = useNow(1000, unbanTime !== null)
  const icon = <HourglassIcon size={20} />
  if (unbanTime === null)
    return (
      <Banner icon={icon} className="mt-5">
        {t('ban.endless')}
      </Banner>
    )
  return (
    <Banner icon={icon} className="mt-5">
      {t('ban.until', { time: timeText(unbanTime), left: timeUntil(unbanTime, now) })}
    </Banner>
  )
}

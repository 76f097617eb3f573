import type { ReactNode } from 'react'
import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { SealCheckIcon } from '@phosphor-icons/react/dist/csr/SealCheck'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { Button, cx, Skeleton, useSkeleton } from '@duet/ui'
import { hasText, t, type TextId } from '../../shared/i18n.ts'
import { formatLastDay } from '../../shared/texts/format-day.ts'
import { isOpen, type OwnVerification, type VerificationQuery } from './use-verification.ts'

const looks: Record<OwnVerification['state'], { icon: ReactNode; look: string }> = {
  none: {
    icon: <IdentificationCardIcon size={32} weight="duotone" />,
    look: 'bg-ember-lo text-ember-hi',
  },
  checking: { icon: <ClockIcon size={32} weight="duotone" />, look: 'bg-gold-lo text-gold' },
  verified: { icon: <SealCheckIcon size={32} weight="duotone" />, look: 'bg-ice-lo text-ice' },
  declined: {
    icon: <WarningCircleIcon size={32} weight="duotone" />,
    look: 'bg-danger-lo text-danger',
  },
}

/** The state of the own check in words, with the possible actions. */
export function StateCard({
  verification,
  isGirl,
  action,
}: {
  verification: OwnVerification
  isGirl: boolean
  action?: ReactNode
}) {
  const { state, asked_again, comment, reason } = verification
  // A verification stands while its renewal needs something better.
  const isAsked = asked_again === true && state === 'declined'
  const { icon, look } = looks[isAsked ? 'checking' : state]
  return (
    <div className="panel flex items-start gap-4 p-5" role="status">
      <span className={cx('flex size-14 shrink-0 items-center justify-center rounded-row', look)}>
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="display-s">{t(`verification.state.${isAsked ? 'again' : state}`)}</p>
        <p className="body mt-1 text-text-2">{getText(verification, isGirl)}</p>
        {state === 'verified' && reason ? (
          <p className="body mt-2 text-text">{t(reasonText(reason))}</p>
        ) : null}
        {comment ? (
          <p className="body mt-2 break-words text-text">
            {t('verification.says')} <bdi>{comment}</bdi>
          </p>
        ) : null}
        <div className="mt-4 empty:hidden">{action}</div>
      </div>
    </div>
  )
}

function getText(verification: OwnVerification, isGirl: boolean): string {
  const { state, reason, expires_at } = verification
  if (state === 'declined') return t(reasonText(reason))
  if (state === 'verified')
    return expires_at
      ? t('verification.text.verified_until', { date: formatLastDay(expires_at) })
      : t('verification.text.verified')
  if (state === 'checking') return t('verification.text.checking')
  if (!isOpen(verification))
    return t(isGirl ? 'verification.text.closed_girl' : 'verification.text.closed')
  return t(isGirl ? 'verification.text.none_girl' : 'verification.text.none')
}

function reasonText(reason: string | undefined): TextId {
  const id = `verification.reason.${reason}`
  return hasText(id) ? id : 'verification.reason.other'
}

/** In the place of the card while the state is fetched, or could not be. */
export function StateLoading({ isFailed, refresh }: Omit<VerificationQuery, 'verification'>) {
  const isShown = useSkeleton(!isFailed)
  if (isFailed)
    return (
      <div className="panel flex flex-col items-start gap-4 p-5" role="alert">
        <p className="body text-text-2">{t('verification.failed')}</p>
        <Button variant="secondary" onClick={() => void refresh()}>
          {t('verification.retry')}
        </Button>
      </div>
    )
  return <div className="panel p-5">{isShown ? <Skeleton className="h-14 w-full" /> : null}</div>
}

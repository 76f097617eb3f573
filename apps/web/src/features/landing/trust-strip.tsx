import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck'
import { TimerIcon } from '@phosphor-icons/react/dist/csr/Timer'
import type { ReactNode } from 'react'
import { t } from '../../shared/i18n.ts'

/** Four reasons at the bottom of the first screen. On a phone the reasons follow the first screen. */
export function TrustStrip({
  paid_after,
  has_payments,
}: {
  paid_after?: number | undefined
  has_payments: boolean
}) {
  const free = paid_after
    ? t('landing.trust.free', { seconds: paid_after })
    : t('landing.trust.free_unknown')
  return (
    <section
      aria-label={t('landing.trust.label')}
      className="border-t border-hair bg-[color-mix(in_srgb,var(--bg)_55%,transparent)]"
    >
      <ul className="mx-auto grid max-w-[1440px] grid-cols-1 gap-x-8 gap-y-5 px-5 py-7 md:grid-cols-2 md:px-14 xl:grid-cols-4">
        <Reason
          icon={<ShieldCheckIcon size={28} weight="duotone" />}
          title={t('landing.trust.agreed')}
          text={t('landing.trust.agreed_text')}
        />
        <Reason
          icon={<IdentificationCardIcon size={28} weight="duotone" />}
          title={t('landing.trust.verified')}
          text={t('landing.trust.verified_text')}
        />
        <Reason
          icon={<TimerIcon size={28} weight="duotone" />}
          title={free}
          text={t('landing.trust.free_text')}
        />
        <Reason
          icon={<LockSimpleIcon size={28} weight="duotone" />}
          title={t('landing.trust.private')}
          text={t(
            has_payments ? 'landing.trust.private_text_payments' : 'landing.trust.private_text',
          )}
        />
      </ul>
    </section>
  )
}

function Reason({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <li className="flex items-center gap-3.5 xl:not-first:border-s xl:not-first:border-hair xl:not-first:ps-7">
      <span className="shrink-0 text-ember-hi">{icon}</span>
      <span className="min-w-0">
        <span className="ui block text-[calc(15rem/16)]! font-[600]!">{title}</span>
        <span className="note block text-text-3">{text}</span>
      </span>
    </li>
  )
}

import { type ReactNode, useState } from 'react'
import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { ShareNetworkIcon } from '@phosphor-icons/react/dist/csr/ShareNetwork'
import { useQuery } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import type { ReferralEntry } from '@duet/protocol/contracts/referrals.ts'
import { Amount, Button, Dialog, Tabs } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { AbsentPanel } from '../../shared/controls/absent-panel.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { formatDay } from '../../shared/texts/format-day.ts'
import { showToast } from '../../shared/toasts.ts'

type Stat = Answer<'GET ref_stat'>
type Tab = 'guys' | 'girls'
type Kind = 'coin' | 'diamond'

/** The own invitations over the present page. */
export function ReferralDialog({ open, close }: OpenDialogProps<'referral'>) {
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      size={640}
      title={t('referral.title')}
    >
      <Referrals />
    </Dialog>
  )
}

/** The same as a section of the page /profile/. */
export function ReferralSection() {
  return <Referrals />
}

/** The own links for guys and for girls, the terms, and the rewards. */
function Referrals() {
  const { connection } = useAppServices()
  const [tab, setTab] = useState<Tab>('guys')
  const { data, isError, refetch } = useQuery({
    queryKey: ['ref_stat'],
    queryFn: () => connection.http.get('ref_stat', {}),
    refetchOnMount: 'always',
  })
  if (!data)
    return (
      <AbsentPanel
        isFailed={isError}
        failed={t('referral.failed')}
        onRetry={() => void refetch()}
      />
    )
  return (
    <Tabs<Tab>
      label={t('referral.title')}
      size={48}
      wide
      value={tab}
      onChange={setTab}
      options={[
        {
          value: 'guys',
          label: t('referral.guys'),
          panel: <Invitations stat={data} tab="guys" />,
        },
        {
          value: 'girls',
          label: t('referral.girls'),
          panel: <Invitations stat={data} tab="girls" />,
        },
      ]}
    />
  )
}

function Invitations({ stat, tab }: { stat: Stat; tab: Tab }) {
  const isGirl = useOwnUser()?.role === 'girl'
  const formatAmount = useAmountFormat()
  const kind = isGirl ? 'coin' : 'diamond'
  const { invited, registered, bought, earned } = stat[tab]
  const entries = stat.history.items.filter((entry) => `${entry.kind}s` === tab)
  const side = isGirl ? 'girl' : 'guy'
  const bonus = {
    minutes: Number(stat.bonus.minutes),
    coins: formatAmount('coin', stat.bonus.coins),
  }
  const percent = tab === 'girls' ? stat.rates.model : isGirl ? stat.rates.guest : stat.rates.guy
  return (
    <>
      <LinkRow link={stat.links[tab]} />
      <p className="body mt-4 text-text-2">
        {t(`referral.terms_${side}_${tab}`, { percent, ...bonus })}
      </p>
      <p className="note mt-1 text-text-3">{t('referral.hold', { days: stat.hold_days })}</p>
      <dl className="mt-4 grid grid-cols-2 gap-2 min-[480px]:grid-cols-5">
        <Figure label={t('referral.invited')}>{invited}</Figure>
        <Figure label={t('referral.registered')}>{registered}</Figure>
        <Figure label={t('referral.bought')}>{bought}</Figure>
        <Figure label={t('referral.earned')}>
          <Money kind={kind} value={earned} />
        </Figure>
        <Figure label={t('referral.held')}>
          <Money kind={kind} value={stat.held} />
        </Figure>
      </dl>
      <h3 className="title mt-5 mb-2">{t('referral.list')}</h3>
      {entries.length === 0 ? (
        <p className="note text-text-2">{t('referral.empty')}</p>
      ) : (
        <ul className="panel flex flex-col">
          {entries.map((entry) => (
            <Entry key={`${entry.at} ${entry.nick} ${entry.what}`} entry={entry} kind={kind} />
          ))}
        </ul>
      )}
    </>
  )
}

function LinkRow({ link }: { link: string }) {
  const canShare = typeof navigator.share === 'function'
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    showToast({ kind: 'success', title: t('referral.copied') })
  }
  return (
    <div className="flex flex-col gap-2.5">
      <label className="note text-text-2">
        {t('referral.link')}
        <input
          readOnly
          dir="ltr"
          value={link}
          onFocus={(event) => event.target.select()}
          className="ui mt-1.5 block min-h-12 w-full rounded-field bg-surface-2 px-4 text-text shadow-[inset_0_0_0_1px_var(--line-strong)]"
        />
      </label>
      <div className="flex flex-row-reverse justify-end gap-2.5">
        <Button
          variant={canShare ? 'secondary' : 'primary'}
          icon={<CopyIcon size={18} />}
          onClick={() => void copy()}
        >
          {t('referral.copy')}
        </Button>
        {canShare ? (
          <Button
            variant="primary"
            icon={<ShareNetworkIcon size={18} />}
            onClick={() =>
              // A user who closes the sheet of the system shares nothing.
              void navigator.share({ url: link, text: t('referral.share_text') }).catch(() => {})
            }
          >
            {t('referral.share')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="rounded-row bg-surface-2 px-3.5 py-3">
      <dt className="note text-text-2">{label}</dt>
      <dd className="ui mt-0.5 font-[600]!">{children}</dd>
    </div>
  )
}

function Money({ kind, value: amount }: { kind: Kind; value: string }) {
  const formatAmount = useAmountFormat()
  const value = formatAmount(kind, amount)
  return (
    <Amount
      kind={kind}
      value={value}
      label={t(kind === 'coin' ? 'wallet.coins' : 'wallet.diamonds', {
        value,
        count: Number(amount),
      })}
    />
  )
}

function Entry({ entry, kind }: { entry: ReferralEntry; kind: Kind }) {
  const { nick, what, amount, held_until, at } = entry
  return (
    <li className="flex items-center gap-4 border-b border-hair px-4 py-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="ui block truncate font-[600]!">{nick ?? t('referral.somebody')}</span>
        <span className="note text-text-2">
          {t(`referral.what.${what}`)} ·{' '}
          {held_until
            ? t('referral.until', { day: formatDay(held_until, 'medium') })
            : formatDay(at, 'medium')}
        </span>
      </span>
      <Money kind={kind} value={amount} />
    </li>
  )
}

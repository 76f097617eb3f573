import { type ReactNode, useState } from 'react'
import { isRefused } from '@duet/client'
import type { Gift } from '@duet/protocol'
import { Amount, Button, cx, Dialog, Popover, useMobile } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { createAccountStore } from '../../shared/account/account-store.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { AbsentPanel } from '../../shared/controls/absent-panel.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs, type OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useCanAddMinutes } from '../../shared/queries.ts'
import { shownGift } from '../../shared/gifts/shown-gift.ts'
import { useGifts } from './gift-queries.ts'

const GRID = 'grid grid-cols-3 gap-2 min-[390px]:grid-cols-4 min-[390px]:gap-2.5'

/**
 * The gifts, with their prices in minutes. A press on the button gives the chosen gift. In a call on a desktop they stand
 * above their button, so that the other side stays in view.
 */
export function GiftDialog({ input, open, close }: OpenDialogProps<'gift'>) {
  const { person } = input
  const formatAmount = useAmountFormat()
  const balance = Number(useOwnUser()?.balance ?? '0')
  const [chosen, choose] = useState<Gift>()
  const { busy, sentence, press } = useGiving(input, close, chosen?.price)
  const canAdd = useCanAddMinutes()
  const missing = chosen ? Number(chosen.price) - balance : 0
  const shownBalance = formatAmount('diamond', String(balance))
  const action =
    missing > 0 ? (
      <AddMinutes missing={missing} needed={chosen?.price ?? '0'} canAdd={canAdd} person={person} />
    ) : (
      <Button
        variant="gold"
        size={54}
        wide
        busy={busy}
        disabled={!chosen}
        onClick={() => chosen && void press(chosen)}
      >
        {chosen
          ? t('gift.send', {
              gift: chosen.name,
              value: formatAmount('diamond', chosen.price),
              count: Number(chosen.price),
            })
          : t('gift.choose')}
      </Button>
    )
  return (
    <GiftFrame input={input} open={open} close={close} action={action}>
      <p className="mb-4 flex items-center gap-2">
        <span className="note text-text-2">{t('wallet.balance')}</span>
        <Amount
          kind="diamond"
          value={shownBalance}
          label={t('wallet.diamonds', { value: shownBalance, count: balance })}
        />
      </p>
      <GiftChoice chosen={chosen} onChoose={choose} />
      <p role="alert" className="note mt-3 text-danger empty:hidden">
        {sentence}
      </p>
    </GiftFrame>
  )
}

function GiftFrame({
  input: { person, anchor },
  open,
  close,
  action,
  children,
}: OpenDialogProps<'gift'> & { action: ReactNode; children: ReactNode }) {
  const isMobile = useMobile()
  const title = t('gift.for', { nick: person.nick })
  if (anchor?.isConnected && !isMobile)
    return (
      <Popover
        open={open}
        onOpenChange={(next) => next || close()}
        anchor={anchor}
        side="top"
        title={title}
        className="w-[420px]"
      >
        <div className="max-h-[50dvh] overflow-y-auto">{children}</div>
        <div className="mt-4">{action}</div>
      </Popover>
    )
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={title}
      actions={action}
    >
      {children}
    </Dialog>
  )
}

/** The random_id of each gift without an answer, by girl and gift. The next press repeats it, so nothing is paid twice. */
const openGifts = createAccountStore<ReadonlyMap<string, string>>(new Map())

function useGiving(
  { person, session_id, dialog_id }: OpenDialogProps<'gift'>['input'],
  close: OpenDialogProps<'gift'>['close'],
  needed = '0',
) {
  const { connection } = useAppServices()
  const { refetch } = useGifts()
  return usePress(
    async (gift: Gift) => {
      const { gift_id, price } = gift
      const key = `${person.id}:${gift_id}`
      const random_id = openGifts.getSnapshot().get(key) ?? crypto.randomUUID()
      openGifts.update((open) => new Map(open).set(key, random_id))
      await connection.act('GIVE_GIFT', {
        gift_id,
        recipient_id: person.id,
        price,
        random_id,
        ...(session_id !== undefined && { session_id }),
        ...(dialog_id !== undefined && { dialog_id }),
      })
      openGifts.update((open) => new Map([...open].filter(([other]) => other !== key)))
      close(true)
      const text = t('gift.given', { nick: person.nick, gift: gift.name })
      if (session_id === undefined) dialogs.open('present_success', { person, gift })
      else shownGift.set({ id: Date.now(), image: gift.image, session_id, text })
    },
    (error) => {
      if (isRefused(error, 'GIVE_GIFT', 'no_gifts')) return t('gift.barred', { nick: person.nick })
      if (isRefused(error, 'GIVE_GIFT', 'invalid') || isRefused(error, 'GIVE_GIFT', 'not_found')) {
        void refetch()
        return t('gift.changed')
      }
      if (!isRefused(error, 'GIVE_GIFT', 'no_balance')) return false
      dialogs.open('not_balance', { last_interlocutor: person, place: 'gift', needed })
      return true
    },
  )
}

function AddMinutes({
  missing,
  needed,
  canAdd,
  person,
}: {
  missing: number
  needed: string
  canAdd: boolean
  person: OpenDialogProps<'gift'>['input']['person']
}) {
  const formatAmount = useAmountFormat()
  const value = formatAmount('diamond', missing.toFixed(2))
  return (
    <div className="flex flex-col gap-2">
      <p className="note text-center text-text-2">{t('gift.missing', { value, count: missing })}</p>
      {canAdd ? (
        <Button
          variant="primary"
          size={54}
          wide
          onClick={() =>
            dialogs.open('not_balance', {
              last_interlocutor: person,
              place: 'gift',
              needed,
            })
          }
        >
          {t('action.add_minutes')}
        </Button>
      ) : null}
    </div>
  )
}

interface ChoiceProps {
  readonly chosen: Gift | undefined
  readonly onChoose: (gift: Gift) => void
}

function GiftChoice({ chosen, onChoose }: ChoiceProps) {
  const { data, isError, refetch } = useGifts()
  if (isError || !data)
    return (
      <AbsentPanel isFailed={isError} failed={t('gifts.failed')} onRetry={() => void refetch()} />
    )
  return (
    <ul aria-label={t('word.gifts')} className={GRID}>
      {data.gifts.map((gift) => (
        <li key={gift.gift_id}>
          <GiftTile gift={gift} isChosen={gift.gift_id === chosen?.gift_id} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

function GiftTile({
  gift,
  isChosen,
  onChoose,
}: {
  gift: Gift
  isChosen: boolean
  onChoose: (gift: Gift) => void
}) {
  const formatAmount = useAmountFormat()
  const value = formatAmount('diamond', gift.price)
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(gift)}
      className={cx(
        'flex w-full flex-col items-center gap-1 rounded-panel px-1 py-3 transition-colors',
        isChosen
          ? 'bg-gold-lo shadow-[inset_0_0_0_2px_var(--gold)]'
          : 'bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair)] hover:bg-surface-3',
      )}
    >
      <img src={gift.image} alt="" width={48} height={48} className="size-12" />
      <span className="ui max-w-full truncate">{gift.name}</span>
      <Amount
        kind="diamond"
        size={14}
        value={value}
        label={t('wallet.diamonds', { value, count: Number(gift.price) })}
      />
    </button>
  )
}

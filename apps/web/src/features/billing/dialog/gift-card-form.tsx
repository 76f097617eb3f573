import { useState } from 'react'
import { isRefused } from '@duet/client'
import { Button, Field } from '@duet/ui'
import { useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { t } from '../../../shared/i18n.ts'
import { ownLimitSentence } from './own-limit.ts'

const SIGNS = 16
const GROUP = 4

/** Groups of four, as the code is printed. */
export function groupCode(given: string): string {
  const signs = given
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, SIGNS)
  return signs.replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}

/** Redeems a prepaid code. */
export function GiftCardForm({ onRedeemed }: { onRedeemed: () => void }) {
  const { connection } = useAppServices()
  const [code, setCode] = useState('')
  const { busy, sentence, press, clear } = usePress(
    async () => {
      await connection.http.post(
        'gift-card/redeem',
        { code },
        { idempotency_key: crypto.randomUUID() },
      )
      onRedeemed()
    },
    (error) => {
      if (isRefused(error, 'POST gift-card/redeem', 'not_found')) return t('billing.card_unknown')
      if (isRefused(error, 'POST gift-card/redeem', 'spending_limit'))
        return ownLimitSentence(error)
      return false
    },
  )
  return (
    <form onSubmit={onSubmit(press)} className="mt-4 flex flex-col gap-3">
      <Field
        label={t('billing.card_code')}
        value={code}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        error={sentence}
        onChange={(event) => {
          clear()
          setCode(groupCode(event.target.value))
        }}
      />
      <Button
        type="submit"
        variant="primary"
        size={54}
        wide
        busy={busy}
        disabled={code.replaceAll('-', '').length < SIGNS}
      >
        {t('billing.redeem')}
      </Button>
    </form>
  )
}

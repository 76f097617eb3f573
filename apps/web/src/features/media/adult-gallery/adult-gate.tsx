import { useState } from 'react'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { Link } from 'react-router'
import { Button, buttonLook, EmptyState } from '@duet/ui'
import type { User } from '@duet/protocol'
import { useAgeConfirmation } from '../../../shared/account/age-confirmation.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { isRegistered } from '../../../shared/account/auth-status.ts'
import { PremiumButton } from '../../../shared/controls/premium-button.tsx'
import { t } from '../../../shared/i18n.ts'
import { usePress } from '../../../shared/controls/use-press.ts'
import { useMembership } from '../../../shared/people/use-membership.ts'

export type AdultGateName = 'account' | 'age' | 'premium' | 'wish'

/**
 * The first gate that this viewer has not passed. Undefined: the gallery is open. The server checks every gate again.
 */
export function findGate(
  user: Pick<User, 'email' | 'age_confirmed' | 'is_premium' | 'shows_adult'>,
): AdultGateName | undefined {
  if (!isRegistered(user)) return 'account'
  if (!user.age_confirmed) return 'age'
  if (!user.is_premium) return 'premium'
  return user.shows_adult ? undefined : 'wish'
}

/** Explains how the gallery opens, with the one action for it. */
export function AdultGate({ gate }: { gate: AdultGateName }) {
  return (
    <EmptyState
      icon={<EyeSlashIcon size={40} weight="duotone" />}
      title={t(`adult.gate_${gate}`)}
      text={t(`adult.gate_${gate}_text`)}
      action={<GateAction gate={gate} />}
    />
  )
}

function GateAction({ gate }: { gate: AdultGateName }) {
  const confirmAge = useAgeConfirmation()
  const membership = useMembership()
  if (gate === 'account')
    return <Button onClick={() => void membership()}>{t('action.log_in')}</Button>
  if (gate === 'age')
    return <Button onClick={() => void confirmAge()}>{t('action.confirm')}</Button>
  return gate === 'wish' ? <SwitchOn /> : <PremiumButton />
}

/** Stores the wish to see the gallery. Without a proof of age the verification follows. */
function SwitchOn() {
  const { connection } = useAppServices()
  const [needsProof, setNeedsProof] = useState(false)
  const { busy, press: switchOn } = usePress(
    async () => {
      const { user } = await connection.http.post('user_nsfw', { show: true })
      connection.patchUser(user)
    },
    (error) => {
      const isUnconfirmed = error instanceof RefusedError && error.refusal === 'age_unconfirmed'
      setNeedsProof(isUnconfirmed)
      return isUnconfirmed
    },
  )
  if (needsProof)
    return (
      <div className="flex flex-col items-center gap-3" role="alert">
        <p className="note text-text-2">{t('adult.needs_proof')}</p>
        <Link to="/verification/" className={buttonLook({ variant: 'secondary' })}>
          {t('adult.to_verification')}
        </Link>
      </div>
    )
  return (
    <Button busy={busy} onClick={() => void switchOn()}>
      {t('adult.switch_on')}
    </Button>
  )
}

/** Takes the wish to see the gallery back. */
export function SwitchOff() {
  const { connection } = useAppServices()
  const { busy, press: switchOff } = usePress(async () => {
    const { user } = await connection.http.post('user_nsfw', { show: false })
    connection.patchUser(user)
  })
  return (
    <Button variant="secondary" className="self-start" busy={busy} onClick={() => void switchOff()}>
      {t('adult.switch_off')}
    </Button>
  )
}

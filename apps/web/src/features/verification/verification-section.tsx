import { Link } from 'react-router'
import { buttonLook } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { StateCard, StateLoading } from './state-card.tsx'
import { isOpen, useVerification } from './use-verification.ts'

/** In the account of the profile page: the state of the check, and a link to the check. */
export function VerificationSection() {
  const query = useVerification()
  const user = useOwnUser()
  const { verification } = query
  if (!verification) return <StateLoading {...query} />
  const { state } = verification
  return (
    <StateCard
      verification={verification}
      isGirl={user?.role === 'girl'}
      action={
        isOpen(verification) ? (
          <Link to="/verification/" className={buttonLook({ variant: 'primary' })}>
            {t(state === 'none' ? 'verification.start' : 'verification.again')}
          </Link>
        ) : null
      }
    />
  )
}

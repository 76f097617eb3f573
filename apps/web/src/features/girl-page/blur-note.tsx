import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { Banner, Button } from '@duet/ui'
import { useAgeConfirmation } from '../../shared/age-confirmation.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { useMembership } from '../../shared/people/use-membership.ts'

/** Explains why every picture is blurred and how the viewer sees the pictures: they are for adults with an account. */
export function BlurNote() {
  const user = useOwnUser()
  const isMember = useAuthStatus() === 'member'
  const confirmAge = useAgeConfirmation()
  const membership = useMembership()
  if (!user || (isMember && user.age_confirmed)) return null
  const uncover = async () => {
    if (await membership()) await confirmAge()
  }
  return (
    <Banner
      tone="plain"
      icon={<EyeSlashIcon size={20} />}
      action={
        <Button size={36} onClick={() => void uncover()}>
          {t(isMember ? 'action.confirm' : 'action.log_in')}
        </Button>
      }
    >
      {t(isMember ? 'girl.blurred_age' : 'girl.blurred_visitor')}
    </Banner>
  )
}

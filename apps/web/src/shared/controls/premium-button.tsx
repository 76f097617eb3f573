import { Button, type ButtonProps } from '@duet/ui'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import type { PayPlace } from '@duet/protocol/contracts/billing.ts'
import { useOwnUser } from '../app-services.tsx'
import { dialogs } from '../dialogs.ts'
import { t } from '../i18n.ts'
import { useSellsPremium } from '../queries.ts'

/** Opens the shop at Premium. Absent where Premium is not sold, and for girls, who need none. */
export function PremiumButton({
  place = 'premium',
  size = 44,
}: {
  place?: PayPlace
  size?: ButtonProps['size']
}) {
  const sells = useSellsPremium()
  const role = useOwnUser()?.role
  if (!sells || role === 'girl') return null
  return (
    <Button
      variant="gold"
      size={size}
      icon={<CrownSimpleIcon size={18} weight="fill" />}
      onClick={() => dialogs.open('not_balance', { place })}
    >
      {t(place === 'composer' ? 'action.add_messages' : 'action.see_premium')}
    </Button>
  )
}

import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useNavigate } from 'react-router'
import { IconButton, Menu } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'
import type { ShownGirl } from './use-girl.ts'

export function GirlMenu({ girl: { id, nick } }: { girl: ShownGirl }) {
  const navigate = useNavigate()
  const { connection } = useAppServices()
  const { busy, press: block } = usePress(async () => {
    if (!(await dialogs.ask('block_user', { nick }))) return
    await connection.act('BLOCK_USER', { user_id: id })
    showToast({ title: t('person.blocked', { nick }) })
    await navigate('/')
  })
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('word.more')}
          busy={busy}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={[
        {
          label: t('action.block'),
          icon: <ProhibitIcon size={18} />,
          danger: true,
          onSelect: () => void block(),
        },
      ]}
    />
  )
}

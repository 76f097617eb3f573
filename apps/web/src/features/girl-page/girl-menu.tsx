import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useNavigate } from 'react-router'
import { IconButton, Menu } from '@duet/ui'
import { useAction } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'
import type { ShownGirl } from './use-girl.ts'

export function GirlMenu({ girl: { id, nick } }: { girl: ShownGirl }) {
  const navigate = useNavigate()
  const { busy, run } = useAction('BLOCK_USER')
  const block = async () => {
    if (!(await dialogs.ask('block_user', { nick }))) return
    if (!(await run({ user_id: id }))) return
    showToast({ title: t('girl.block.done', { nick }) })
    await navigate('/')
  }
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('girl.menu')}
          busy={busy}
          icon={<DotsThreeIcon size={24} weight="bold" />}
        />
      }
      entries={[
        {
          label: t('girl.block.open'),
          icon: <ProhibitIcon size={18} />,
          danger: true,
          onSelect: () => void block(),
        },
      ]}
    />
  )
}

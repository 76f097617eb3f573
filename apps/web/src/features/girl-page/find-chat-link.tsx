import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'

export function FindChatLink({
  variant,
  className,
}: {
  variant: 'primary' | 'secondary'
  className?: string
}) {
  return (
    <Link
      to="/"
      state={{ start: true }}
      className={cx(buttonLook({ variant, size: 54 }), className)}
    >
      <VideoCameraIcon size={22} weight="fill" className="mirror" />
      {t('action.start_chat')}
    </Link>
  )
}

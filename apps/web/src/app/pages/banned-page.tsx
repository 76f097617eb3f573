import { useNavigate } from 'react-router'
import type { ModerationInfo } from '@duet/protocol/kernel/sanctions.ts'
import { logOut } from '../../features/identity/log-out.ts'
import { BanNotice } from '../../features/moderation/ban-notice.tsx'
import { OwnDataSection } from '../../features/privacy/own-data-section.tsx'
import { useAppServices } from '../../shared/app-services.tsx'

/** In the place of every page while the user is banned: the notice, and the own data. */
export function BannedPage({ info }: { info: ModerationInfo }) {
  const services = useAppServices()
  const navigate = useNavigate()
  return (
    <main className="scene-glow flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <BanNotice info={info} onLogOut={() => void logOut(services, navigate)}>
        <OwnDataSection />
      </BanNotice>
    </main>
  )
}

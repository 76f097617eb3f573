import { StaticRouter } from 'react-router'
import { persistence } from '@duet/client'
import type { CastMember } from '@duet/protocol'
import { getDirection, type Locale } from '@duet/protocol/kernel/locales.ts'
import { wireRole } from '@duet/protocol/kernel/roles.ts'
import { prerender } from 'react-dom/static'
import { activate, t } from '../../shared/i18n.ts'
import { ApplicationFrame, createEarlyServices } from '../application.tsx'
import { FIRST_ROUTE_TEXTS } from './first-route.ts'
import { AppLayout } from '../layout/app-layout.tsx'

export { translatedLocales } from '../../shared/i18n.ts'

/** The page shows this text when the application cannot be loaded. */
export interface LoadFailureTexts {
  title: string
  text: string
  reload: string
  /** For a browser that runs no scripts. */
  no_script: string
}

interface PrerenderedLanding {
  html: string
  title: string
  description: string
  failure: LoadFailureTexts
}

/** The demo users whose values the server writes into the page (`landing-variant.ts` of the server). */
export const CAST_PLACES: readonly CastMember[] = (
  [
    ['guy', 0],
    ['girl', 0],
    ['girl', 1],
    ['girl', 2],
  ] as const
).map(([role, at], user_id) => ({
  user_id,
  role: wireRole(role),
  nick: `{{${role} ${at} nick}}`,
  avatar: `{{${role} ${at} avatar}}`,
  is_premium: false,
}))

/**
 * The application as a visitor sees it first, in one language and without data. The build writes this state into the
 * page, and the application hydrates it.
 */
export async function prerenderLanding(
  locale: Locale,
  cast?: readonly CastMember[],
): Promise<PrerenderedLanding> {
  await activate(locale, [...FIRST_ROUTE_TEXTS, 'system'])
  const { services, runtime } = createEarlyServices(persistence())
  const { prelude } = await prerender(
    <ApplicationFrame
      services={services}
      runtime={runtime}
      direction={getDirection(locale)}
      cast={cast}
    >
      <StaticRouter basename={`/${locale}`} location={`/${locale}/`}>
        <AppLayout />
      </StaticRouter>
    </ApplicationFrame>,
    // A larger part would be sent hidden, with a script that shows it later.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return {
    html: await new Response(prelude).text(),
    title: t('app.title'),
    description: t('landing.lead'),
    failure: {
      title: t('system.chunk_failure'),
      text: t('system.chunk_failure_text'),
      reload: t('system.reload'),
      no_script: t('system.no_script'),
    },
  }
}

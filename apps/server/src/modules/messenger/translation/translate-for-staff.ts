import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { findTranslation } from './find-translation.ts'

/** POST v2/manager/translate, one text after the other. */
export async function translateForStaff(
  app: App,
  { id }: Staff,
  { texts, locale: to }: Body<'POST v2/manager/translate'>,
): Promise<Answer<'POST v2/manager/translate'>> {
  const translator = app.translator ?? refuse('method_unavailable')
  const translations: (string | null)[] = []
  for (const text of texts) {
    const made = await findTranslation(app, translator, { reader: { kind: 'staff', id }, text, to })
    translations.push(made?.text ?? null)
  }
  return { translations }
}

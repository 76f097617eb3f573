import type { Answer, Body, MethodLine, MethodPreview } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import type { FormPreview } from '../../../integrations/payments/gateway.ts'
import { refuse } from '../../../lib/refusal.ts'
import { setting } from '../../settings/index.ts'
import { previewText, setForm } from '../methods/preview-form.ts'
import { whyOff } from '../methods/why-off.ts'
import { offeredMethods } from '../price-list.ts'

/** A form of thousands of characters can have as many mistakes. */
const MISTAKES_SHOWN_MAX = 20

/** GET v2/manager/payment-methods: in the order of the setting. */
export async function listMethods(app: App): Promise<Answer<'GET v2/manager/payment-methods'>> {
  const offered = await offeredMethods(app, app.db)
  const off = whyOff(app, offered)
  const methods = setting(app, 'payment_methods').map((method): MethodLine => {
    const form = setForm(app, method) ?? null
    const preview = form === null ? undefined : previewText(app, method, form)
    return {
      method,
      lacks: off[method] ?? null,
      form: form === 'none' ? '' : form,
      preview: preview && form !== 'none' ? showPreview(preview) : null,
      has_preview: preview !== undefined,
    }
  })
  return { methods, missing: [...app.config.payments.missing] }
}

/** POST v2/manager/payment-methods/preview: nothing is stored. Refuses method_unavailable. */
export async function previewMethod(
  app: App,
  _staff: Staff,
  { method, form }: Body<'POST v2/manager/payment-methods/preview'>,
): Promise<Answer<'POST v2/manager/payment-methods/preview'>> {
  return showPreview(previewText(app, method, form) ?? refuse('method_unavailable'))
}

function showPreview(preview: FormPreview): MethodPreview {
  if ('mistakes' in preview)
    return { mistakes: preview.mistakes.slice(0, MISTAKES_SHOWN_MAX), signed: '', url: '' }
  return { mistakes: [], ...preview }
}

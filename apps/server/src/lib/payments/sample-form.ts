/** The form of a provider that does not exist: the demo installation and the tests pay by it. */
export const SAMPLE_FORM = JSON.stringify({
  url: '{base_url}/pay',
  fields: {
    shop: '{merchant_id}',
    order: '{reference}',
    sum: '{price}',
    currency: '{currency}',
    description: '{description}',
    back: '{return_url}',
    notify: '{notify_url}',
  },
  signature: {
    algorithm: 'sha256',
    text: '{shop}:{order}:{sum}:{currency}:{secret_1}',
    field: 'sign',
  },
  currencies: ['USD', 'EUR'],
  notice: {
    format: 'form',
    signature: {
      algorithm: 'hmac-sha256',
      text: '{order}:{payment}:{sum}:{currency}:{status}',
      field: 'sign',
    },
    reference: 'order',
    payment_id: 'payment',
    amount: 'sum',
    currency: 'currency',
    status: 'status',
    statuses: {
      pending: 'pending',
      paid: 'paid',
      partial: 'partial',
      failed: 'failed',
      refunded: 'refunded',
      charged_back: 'charged_back',
    },
    answer: 'OK',
  },
})

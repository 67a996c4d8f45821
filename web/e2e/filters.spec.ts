/** Filters of a run with very many flows: a page of them is shown, and one is found by typing. */
import { expect, test } from './test.ts';

const FLOWS = 3000;

/** A datagram of each flow, one after the other. */
const TRACE = Array.from({ length: FLOWS }, (_, at) => {
  const skb = `ffff8881${(at * 256).toString(16).padStart(8, '0')}`;
  const time = `1.${String(at).padStart(6, '0')}`;
  return `1 ev udp_rcv ts ${time} cpu 0 ctx softirq pid 0 skb ${skb} len 64 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 sport ${10_000 + at} dport 53`;
}).join('\n');

test('one of three thousand flows is found by its port, and let go again', async ({
  app,
  page,
}) => {
  await app.open();
  const buffer = Buffer.from(`# kperf 2\n${TRACE}\n`);
  await page
    .getByLabel('Trace files')
    .setInputFiles({ name: 'flows.txt', mimeType: 'text/plain', buffer });
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await page.getByRole('tab', { name: 'Packets', exact: true }).click();
  await page.getByRole('tab', { name: 'All packets' }).click();
  await page.getByText('Filters', { exact: true }).click();
  const flow = page.getByRole('combobox', { name: 'Flow' });
  await flow.click();
  const list = page.getByRole('listbox', { name: 'Flow' });
  await expect(list).toContainText('There are more');
  await expect(list.getByRole('option')).toHaveCount(51);
  await flow.pressSequentially('12999');
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(list.getByRole('option')).toHaveAttribute('data-highlighted', '');
  await flow.press('Enter');
  await expect(list).toBeHidden();
  await expect(flow).toHaveValue(/12999/);
  await expect(page.getByText('1 packet of 3,000', { exact: true })).toBeVisible();
  await flow.click();
  await list.getByRole('option', { name: 'any' }).click();
  await expect(flow).toHaveValue('any');
  await expect(page.getByText('3,000 packets', { exact: true })).toBeVisible();
});

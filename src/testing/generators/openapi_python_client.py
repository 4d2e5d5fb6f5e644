"""Ten calls by the client that openapi-python-client makes: BASE and KEY come from the environment."""

import os

from brokerbase_client import AuthenticatedClient
from brokerbase_client.api.audit import audit_list
from brokerbase_client.api.deposits import deposits_create, deposits_list
from brokerbase_client.api.exchange_rates import fx_rates_list
from brokerbase_client.api.traders import traders_create, traders_get, traders_list, traders_update
from brokerbase_client.models import DepositIn, DepositInMethod, TraderIn, TraderPatch

client = AuthenticatedClient(os.environ["BASE"], os.environ["KEY"], prefix="", auth_header_name="X-API-Key")
passed = 0


def check(what: str, is_right: bool) -> None:
    global passed
    if not is_right:
        raise SystemExit(f"{what} is wrong")
    passed += 1


email = f"{os.environ['NAME']}@example.com"
trader = traders_create.sync(client=client, body=TraderIn(email=email, first_name="Ada", last_name="Byron"))
check("a new client without a phone", trader.phone is None and trader.email == email)
check("the same client", traders_get.sync(trader.id, client=client).created_at == trader.created_at)
patch = TraderPatch(phone="+35722000000")
changed = traders_update.sync(trader.id, client=client, body=patch, if_match=f'"{trader.version}"')
check("a changed client", changed.phone == "+35722000000" and changed.version == trader.version + 1)
page = traders_list.sync(client=client, limit=1, count=True)
check("a page of clients", len(page.data) == 1 and page.total >= 1)
unknown = traders_get.sync_detailed("none", client=client)
check("the refusal of an unknown client", unknown.status_code == 404 and unknown.parsed.code == "not_found")
wrong = traders_create.sync_detailed(client=client, body=TraderIn(email="nobody"))
check("the refusal of a wrong address", wrong.status_code == 422 and wrong.parsed.errors[0].path == "email")
body = DepositIn(trader_id=trader.id, currency="EUR", amount="12.50", method=DepositInMethod.BANK)
deposit = deposits_create.sync(client=client, body=body)
check("a new deposit", deposit.status == "pending" and deposit.settled_at is None)
row = deposits_list.sync(client=client, trader_id=trader.id).data[0]
check("a list with the name of the client", row.trader_name == "Ada Byron" and row.amount == "12.50")
entries = audit_list.sync(client=client, entity_id=deposit.id).data
check("the log of changes", any(entry.action == "deposit.create" for entry in entries))
check("a list that is answered whole", fx_rates_list.sync(client=client).next_cursor is None)
print(f"{passed} calls")

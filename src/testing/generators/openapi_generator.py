"""Ten calls by the client that openapi-generator makes for Python: BASE and KEY come from the environment."""

import os

import openapi_client as made

configuration = made.Configuration(host=os.environ["BASE"], api_key={"apiKey": os.environ["KEY"]})
client = made.ApiClient(configuration)
traders, deposits = made.TradersApi(client), made.DepositsApi(client)
passed = 0


def check(what: str, is_right: bool) -> None:
    global passed
    if not is_right:
        raise SystemExit(f"{what} is wrong")
    passed += 1


def refusal(call) -> made.ApiException:
    try:
        call()
    except made.ApiException as error:
        return error
    raise SystemExit("nothing was refused")


email = f"{os.environ['NAME']}@example.com"
trader = traders.traders_create(made.TraderIn(email=email, firstName="Ada", lastName="Byron"))
check("a new client without a phone", trader.phone is None and trader.email == email)
check("the same client", traders.traders_get(trader.id).created_at == trader.created_at)
changed = traders.traders_update(trader.id, made.TraderPatch(phone="+35722000000"), if_match=f'"{trader.version}"')
check("a changed client", changed.phone == "+35722000000" and changed.version == trader.version + 1)
page = traders.traders_list(limit=1, count=True)
check("a page of clients", len(page.data) == 1 and page.total >= 1)
check("the refusal of an unknown client", refusal(lambda: traders.traders_get("none")).status == 404)
wrong = refusal(lambda: traders.traders_create(made.TraderIn(email="nobody")))
check("the refusal of a wrong address", wrong.status == 422 and '"email"' in wrong.body)
deposit = deposits.deposits_create(made.DepositIn(traderId=trader.id, currency="EUR", amount="12.50", method="bank"))
check("a new deposit", deposit.status == "pending" and deposit.settled_at is None)
row = deposits.deposits_list(trader_id=trader.id).data[0]
check("a list with the name of the client", row.trader_name == "Ada Byron" and row.amount == "12.50")
entries = made.AuditApi(client).audit_list(entity_id=deposit.id).data
check("the log of changes", any(entry.action == "deposit.create" for entry in entries))
check("a list that is answered whole", made.ExchangeRatesApi(client).fx_rates_list().next_cursor is None)
print(f"{passed} calls")
